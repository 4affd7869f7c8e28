"""Composition: what the site's log leaves out: people paste secrets, and what an exception says may repeat them."""

import logging
import traceback
from collections.abc import Iterator

# What begins the addresses that texts are pasted to.
_PASTED = ("/match", "/api/match")
# A chain of exceptions may be long, and may bite its own tail.
_MAX_CHAIN = 10


class WithoutPastes(logging.Filter):
    """Lets every record pass; of an exception while a paste was matched, its type and its places, not its words."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if record.exc_info and getattr(request, "path", "").startswith(_PASTED):
            error = record.exc_info[1]
            record.exc_text = "\n".join(_wordless(error)) if error else ""
            record.exc_info = None
        return True


def _wordless(error: BaseException) -> Iterator[str]:
    """Yield a traceback, the error that was raised last first, with types instead of messages."""
    each: BaseException | None = error
    for _ in range(_MAX_CHAIN):
        if each is None:
            return
        yield "Traceback (most recent call last; what the error says is left out):"
        yield "".join(traceback.format_tb(each.__traceback__)) + type(each).__qualname__
        each = each.__cause__ or each.__context__
