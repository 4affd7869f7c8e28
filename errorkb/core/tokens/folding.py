"""Core: how two spellings of one text become equal: width, accents, dashes, quotes and case are folded."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

_DASHES = "\u058a\u05be\u1806\u2010-\u2015\u2043\u207b\u208b\u2212\u2796\u2e3a\u2e3b\ufe31\ufe32\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u00b4\u02bc\u055a\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\u276e\u276f\uff07"
_DOUBLE_QUOTES = (
    "\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e\u2e42\u300c-\u300f\u301d-\u301f"
    "\ufe41-\ufe44\uff02\uff62\uff63\U0001f676-\U0001f678"
)
_INVISIBLE = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"

_SIGNS = re.compile(f"([{_DASHES}])|([{_SINGLE_QUOTES}])|([{_DOUBLE_QUOTES}])|[{_INVISIBLE}]")
_FOLDED_SIGNS = (None, "-", "'", '"')

_ACCENTED = re.compile("[\u00c0-\u058f\u1e00-\u1fff]|[\u0300-\u036f]")
_ACCENTS_OF_A_LETTER = re.compile("(?<=[^\\W\\d_])[\u0300-\u036f]+")

# Unicode's Stream-Safe Text Format (UAX #15) allows 30 marks in a row. unicodedata.normalize() sorts them by
# insertion: a hundred thousand of them take half a minute, so the rest is dropped before it sees them.
_MARKS_AT_MOST = 30
_MANY_SIGNS = re.compile(rf"[^\w\s\x00-\x7f]{{{_MARKS_AT_MOST + 1},}}")

# Characters of which plain() makes exactly one, whatever stands beside them but a mark that joins on.
_ONE_TO_ONE = (
    "\x00-\x7f\u00c0-\u00ff\u0391-\u03a1\u03a3-\u03c9\u0400-\u045f\u2010-\u2016\u2018-\u2023\u2190-\u21ff"
    "\u2500-\u25ff\u3001-\u3030\u3041-\u3096\u30a0-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e"
)
_JOINS_ON = "\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f"
# Those of them of which plain() makes the same, and the others, of which few stand in a text at most.
_KEPT = "\x00-\x7f\u3041-\u3096\u30a0-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
_NOT_KEPT = re.compile(f"[^{_KEPT}]")
_ALL_ONE_TO_ONE = re.compile(f"[{_ONE_TO_ONE}]*+")
_FEW = 16
_CLUSTER = re.compile(f"(?s)([{_ONE_TO_ONE}]+)(?![{_JOINS_ON}])|.[{_JOINS_ON}]*")


def fold(text: str) -> str:
    """Return `text` in the one spelling that search compares.

    NFKC, then: accents of letters removed, every dash as `-`, every quotation mark as `'` or `"`, invisible characters
    dropped, case folded. Folding twice changes nothing more. Linear in the length of `text`.

    >>> fold("[npu] Fix PD\u2011disaggregation \u201cÉchec\u201d")
    '[npu] fix pd-disaggregation "echec"'
    """
    return plain(text).casefold()


def plain(text: str) -> str:
    """Return `text` folded in all but case, which is needed to see where the words of a CamelName begin."""
    if text.isascii():
        return text
    signs = set(_NOT_KEPT.findall(text))
    if len(signs) > _FEW or not _ALL_ONE_TO_ONE.fullmatch("".join(signs)):
        return _plain_of_any(text)
    for sign in signs:
        text = text.replace(sign, _plain_sign(sign))
    return text


def _plain_of_any(text: str) -> str:
    text = _SIGNS.sub(_fold_sign, _MANY_SIGNS.sub(_drop_marks_past_limit, text))
    if not unicodedata.is_normalized("NFKC", text):
        text = _SIGNS.sub(_fold_sign, unicodedata.normalize("NFKC", text))
    if _ACCENTED.search(text) is None:
        return text
    bare = _ACCENTS_OF_A_LETTER.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


_plain_sign = lru_cache(maxsize=1 << 10)(_plain_of_any)


def plain_with_spans(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Return `plain(text)` and, for each of its characters, where its source starts and ends in `text`."""
    if text.isascii():
        return text, range(len(text)), range(1, len(text) + 1)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece, piece_starts, piece_ends in _aligned_pieces(text):
        pieces.append(piece)
        starts.extend(piece_starts)
        ends.extend(piece_ends)
    return "".join(pieces), starts, ends


def _aligned_pieces(text: str) -> Iterator[tuple[str, Sequence[int], Sequence[int]]]:
    for match in _CLUSTER.finditer(text):
        start, end = match.span()
        piece = plain(match[0])
        if match[1] is not None:
            yield piece, range(start, end), range(start + 1, end + 1)
        else:
            yield piece, [start] * len(piece), [end] * len(piece)


def _fold_sign(match: re.Match[str]) -> str:
    return _FOLDED_SIGNS[match.lastindex] or "" if match.lastindex else ""


def _drop_marks_past_limit(match: re.Match[str]) -> str:
    kept: list[str] = []
    in_a_row = 0
    for character in match[0]:
        in_a_row = in_a_row + 1 if unicodedata.combining(character) else 0
        if in_a_row <= _MARKS_AT_MOST:
            kept.append(character)
    return "".join(kept)
