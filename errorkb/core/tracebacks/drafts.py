"""Core: errors of a paste while they are being read, whatever their family, and the chains that join them."""

from dataclasses import dataclass, field

from errorkb.core.tracebacks.pastes import Frame, Occurrence

# A message has so many lines and characters at most.
MOST_MESSAGE_LINES = 60
MOST_MESSAGE = 20_000


@dataclass
class Draft:
    """An error while its lines are still being read.

    `chain` joins errors that belong together, `branch` tells the members of a group apart: each has a root of its
    own. `margin` is how far to the right its first line stands, `head` what stood before it, for lines of another
    log record to be told from its own. One that is dropped was told again, in full, behind it.
    """

    type: str
    lines: list[str]
    number: int
    last: int
    frames: list[Frame] = field(default_factory=list)
    chain: int = 0
    branch: int = 0
    is_group: bool = False
    level: str = ""
    shape: str = "line"
    head: str = ""
    is_record: bool = False
    margin: int = 0
    size: int = 0
    is_dropped: bool = False

    @property
    def is_nameless(self) -> bool:
        """Say whether only frames are known of the error."""
        return not self.type and self.shape == "traceback" and not any(self.lines)

    @property
    def is_full(self) -> bool:
        """Say whether the message is as long as it may be."""
        return len(self.lines) >= MOST_MESSAGE_LINES or self.size > MOST_MESSAGE

    def __post_init__(self) -> None:
        self.lines = [line[:MOST_MESSAGE] for line in self.lines]

    def add(self, text: str, number: int) -> None:
        """Take a further line of the message."""
        margin = min(self.margin, len(text) - len(text.lstrip())) if self.margin else 0
        self.lines.append(text[margin : margin + MOST_MESSAGE])
        self.last = number
        self.size += len(text)


class Numbers:
    """Numbers for chains and branches, one after the other through the whole paste."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a new number."""
        self._last += 1
        return self._last


def occurrence_of(draft: Draft, role: str) -> Occurrence:
    """Return a finished error."""
    lines = draft.lines
    if len(lines) > 1 and lines[-1].strip() in ('"""', "'''"):
        lines = lines[:-1]
    return Occurrence(
        exception_type=draft.type,
        message="\n".join(lines).strip("\n"),
        number=draft.number,
        last_number=draft.last,
        frames=tuple(draft.frames),
        role=role,
        chain=draft.chain,
        level=draft.level,
        shape=draft.shape,
    )
