"""Core: a pasted text as it was understood: its lines freed from wrapping, and the errors that it tells of."""

from dataclasses import dataclass, field
from typing import NamedTuple

from errorkb.core.tracebacks.prefixes import NO_PREFIX, Prefix


class PasteLine(NamedTuple):
    """One line of a paste without prefixes, colours, quoting or escapes; `number` is its line in the paste, from 1.

    Several lines have the same number where one line of the paste held escaped line breaks. `stream` tells
    interleaved sources apart (a container, a process, a rank); it is empty where there is one only. `prefix` is what
    stood before it, `head` its text. `is_near` says that it may have to do with an error: the others of a long log are
    not cleaned. `depth` is how deep in exception groups it stands.
    """

    text: str
    number: int
    stream: str = ""
    prefix: Prefix = NO_PREFIX
    is_near: bool = True
    head: str = ""
    depth: int = 0


class Frame(NamedTuple):
    """One call in a traceback. `symbol` is as the traceback has it: `json`, `<module>`, on 3.11+ never qualified."""

    path: str
    line: int | None
    symbol: str
    code: str = ""
    number: int = 0


@dataclass(frozen=True)
class Occurrence:
    """One error in a paste.

    `exception_type` is as pasted (`aiohttp.client_exceptions.ContentTypeError`; empty for a plain log line);
    `message` may have several lines; `frames` are outermost first, whatever order the paste has; `number` is the
    line of the paste on which type or message starts, `last_number` the one on which the message ends. `chain` is
    equal for errors that belong together; in a chain the error that was raised first is the `root`, those that
    were raised because of it or while it was handled are a `consequence`; an error without a chain is the `only`
    one. `count` says how often the same error stands in the paste. `shape` names what it was read as.
    """

    exception_type: str
    message: str
    number: int
    last_number: int
    frames: tuple[Frame, ...] = ()
    role: str = "only"
    chain: int = 0
    count: int = 1
    level: str = ""
    shape: str = "line"

    @property
    def type_name(self) -> str:
        """Return the type without its module: `ContentTypeError`."""
        return self.exception_type.rpartition(".")[2]


@dataclass(frozen=True)
class Paste:
    """What was understood of a pasted text.

    `lines` are all its lines in order, for a search of known messages; `occurrences` are in the order of the paste,
    repeats folded. `releases` are the versions that it names of packages: (package, version), as far as they can be
    read from paths or from text such as `sglang==0.5.18`. `is_cut` says that a bound was reached and the rest was
    not read.
    """

    lines: tuple[PasteLine, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    releases: tuple[tuple[str, str], ...] = field(default=())
    is_cut: bool = False
