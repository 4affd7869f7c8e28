"""Core: an error that somebody pasted, without the values in it: what may be kept of it and told to curators.

Only words that are frequent in error messages stay, by the table of `word_frequencies`: no name, no secret is there.
Better a template that says less than one that tells too much.
"""

import re
from dataclasses import dataclass
from itertools import groupby

from errorkb.core.tracebacks import Frame, Occurrence
from errorkb.core.word_frequencies import is_frequent

MAX_TEMPLATE_LENGTH = 500
MAX_PLACE_LENGTH = 300

_QUOTES = {"'": "'", '"': '"', "`": "`", "“": "”", "‘": "’", "«": "»", "「": "」", "『": "』"}
# An apostrophe within a word opens nothing.
_OPENING = re.compile(r"(?<![\w])['\"`]|[“‘«「『]")

# (kind, what it looks like); the first that fits a piece between blanks names its mask.
_KINDS = (
    ("url", re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://")),
    ("email", re.compile(r".*@.*\.")),
    ("path", re.compile(r".*[/\\]")),
    ("number", re.compile(r"\W*[0-9][0-9.,:eE+-]*+\W*\Z")),
    ("hex", re.compile(r"\W*(?:0x[0-9A-Fa-f]+|[0-9A-Fa-f]{8,})\W*\Z")),
)
# A piece that may stay: a word or an identifier of letters, with the signs of a sentence around it.
_PLAIN = re.compile(r"(?P<before>[(\[,;:.!?-]*)(?P<word>[A-Za-z]+(?:['’_-][A-Za-z]+){0,5}_?)(?P<after>[)\],;:.!?-]*)")
_TYPE_NAME = re.compile(r"(?:[A-Z][a-z]*){0,8}(?:Error|Exception|Warning)")
_NAME = re.compile("[A-Z][a-z].*")
_CONSTANTS = frozenset({"None", "True", "False"})
# What stands behind one of these is somebody's, however plain a word it is.
_BEFORE_NAMES = (
    "password passwd pwd passphrase secret token bearer basic credential credentials authorization apikey user "
    "username login account customer owner author named called host hostname database db schema bucket domain tenant "
    "project"
)
_TELLTALE = frozenset(_BEFORE_NAMES.split())
_MASK = re.compile(r"\{[a-z]+\}")

# (what a library's folder looks like in a path, what is written in its place)
_LIBRARY_FOLDERS = (
    re.compile(r"(?:.*[/\\])?(?:site|dist)-packages[/\\](?P<rest>.+)", re.DOTALL),
    re.compile(r"(?:.*[/\\])?node_modules[/\\](?P<rest>.+)", re.DOTALL),
    re.compile(r"(?:.*[/\\])?\.cargo[/\\]registry[/\\]src[/\\][^/\\]+[/\\](?P<rest>.+)", re.DOTALL),
    re.compile(r"(?:.*[/\\])?pkg[/\\]mod[/\\](?P<rest>.+)", re.DOTALL),
)
_PLAIN_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*", re.ASCII)
_PLAIN_SYMBOL = re.compile(r"<?[A-Za-z_][\w.<>]*", re.ASCII)
_TYPE = re.compile(r"[A-Za-z_][\w.]{0,199}", re.ASCII)


@dataclass(frozen=True)
class MaskedError:
    """What may be kept of an unknown error; each part is empty where nothing may."""

    exception_type: str
    template: str
    path: str
    symbol: str

    @property
    def says_something(self) -> bool:
        """Return whether a curator could do anything with it."""
        return bool(self.exception_type or self.path or len(_MASK.sub("", self.template).split()) > 1)


def mask_error(occurrence: Occurrence) -> MaskedError:
    """Return what may be kept of an error: its type's name, its masked message, its place inside a library."""
    frame = occurrence.frames[-1] if occurrence.frames else None
    path = library_path(frame.path) if frame else ""
    return MaskedError(
        exception_type=_masked_type(occurrence),
        template=mask_message(occurrence.message),
        path=path,
        symbol=_symbol(frame) if frame and path else "",
    )


def mask_message(message: str) -> str:
    """Return the first line of a message with a mask for everything in it that is no plain word.

    >>> mask_message("user 'ada' (id 7) has no file /home/ada/x.txt")
    'user {quoted} (id {number} has no file {path}'
    """
    first = next((line.strip() for line in message[:4_000].splitlines() if line.strip()), "")
    pieces = _without_quotes(first[:MAX_TEMPLATE_LENGTH]).split()
    masked = [_masked(piece, position, pieces) for position, piece in enumerate(pieces)]
    return " ".join(piece for piece, _ in groupby(masked))[:MAX_TEMPLATE_LENGTH]


def library_path(path: str) -> str:
    """Return a frame's path below the folder that libraries are installed in; nothing for any other file.

    >>> library_path("/home/ada/.venv/lib/python3.11/site-packages/django/db/models/base.py")
    'django/db/models/base.py'
    """
    for folder in _LIBRARY_FOLDERS:
        if found := folder.fullmatch(path[-2_000:]):
            below = found.group("rest").replace("\\", "/")
            return below if len(below) <= MAX_PLACE_LENGTH and _PLAIN_PATH.fullmatch(below) else ""
    return ""


def _without_quotes(line: str) -> str:
    """Return a line with a mask for everything in quotation marks, to its end where they are never closed."""
    kept, position = [], 0
    while found := _OPENING.search(line, position):
        kept += [line[position : found.start()], " {quoted} "]
        end = line.find(_QUOTES[found.group()], found.end())
        position = len(line) if end < 0 else end + 1
    return "".join((*kept, line[position:]))


def _masked(piece: str, position: int, pieces: list[str]) -> str:
    if _MASK.fullmatch(piece):
        return piece
    if kind := next((kind for kind, looks in _KINDS if looks.match(piece)), ""):
        return f"{{{kind}}}"
    before, sign, _ = piece.partition("=")
    if sign:
        return f"{before}={{value}}" if _is_plain(before) else "{value}"
    found = _PLAIN.fullmatch(piece)
    is_telling = position > 0 and pieces[position - 1].strip(":;,.").lower() in _TELLTALE
    if found and not is_telling and _is_plain(found.group("word"), is_first=_begins(position, pieces)):
        return piece
    return "{value}"


def _begins(position: int, pieces: list[str]) -> bool:
    """Say whether a piece begins a sentence, where every word has a capital."""
    return position == 0 or pieces[position - 1].endswith((".", ":", "!", "?"))


def _is_plain(word: str, *, is_first: bool = False) -> bool:
    """Say whether a word, or each part of an identifier, is of the language that error messages are written in.

    Within a sentence, a word with a capital is somebody's name, though it may be a word of that language as well.
    """
    if _TYPE_NAME.fullmatch(word) or word in _CONSTANTS:
        return True
    if not is_first and _NAME.fullmatch(word):
        return False
    return all(len(part) == 1 or is_frequent(part) for part in re.split(r"['’_-]", word.rstrip("_")))


def _masked_type(occurrence: Occurrence) -> str:
    """Return the type's last name where it is one; with its module only where that is a library's."""
    if not _TYPE.fullmatch(occurrence.exception_type):
        return ""
    name = occurrence.type_name
    if _TYPE_NAME.fullmatch(name):
        return name
    return name if occurrence.frames and name.isalpha() and name[:1].isupper() else ""


def _symbol(frame: Frame) -> str:
    return frame.symbol if len(frame.symbol) <= MAX_PLACE_LENGTH and _PLAIN_SYMBOL.fullmatch(frame.symbol) else ""
