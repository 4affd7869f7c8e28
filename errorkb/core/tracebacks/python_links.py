"""Core: which chain, and which member of an exception group, the Python error belongs to that is told next."""

import re

from errorkb.core.tracebacks.drafts import Draft, Numbers

_SUBEXCEPTIONS = re.compile(r"\((\d{1,5}) sub-exceptions?\)\s*$")


class Links:
    """Keeps what hangs together: errors with a link between them, and a group with its members."""

    def __init__(self, numbers: Numbers) -> None:
        self.is_linked = False
        self.group_depth: int | None = None
        self._numbers = numbers
        self._chain = self._branch = 0

    def begin_traceback(self) -> None:
        """Begin a chain of its own, unless the traceback is linked to the errors before."""
        if not self.is_linked and self.group_depth is None:
            self._chain = 0

    def begin_member(self) -> None:
        """Begin the next member of a group."""
        self._branch, self.is_linked = self._numbers.next(), False

    def end_group(self) -> None:
        """Leave a group with all of its members."""
        self.group_depth, self._chain = None, 0

    def place_raised(self, draft: Draft, depth: int) -> None:
        """Put an error with a traceback into its chain; `depth` is how deep in boxes it stands."""
        if not self._chain or not (self.is_linked or self.group_depth is not None):
            self._chain = self._numbers.next()
        self._place(draft, depth)
        self.is_linked = False

    def place_named(self, draft: Draft, depth: int) -> None:
        """Put an error that was only named into its chain."""
        if self.group_depth is None or not draft.type:
            self._chain = self._numbers.next()
        self._place(draft, depth)

    def _place(self, draft: Draft, depth: int) -> None:
        draft.chain, draft.branch = self._chain, self._branch
        draft.is_group = bool(draft.lines and _SUBEXCEPTIONS.search(draft.lines[0]))
        if draft.is_group and self.group_depth is None:
            self.group_depth = depth
