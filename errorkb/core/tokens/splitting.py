"""Core: where the words of a text are: names whole and by their parts, Chinese, Japanese and Korean by bigrams."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import Literal

from errorkb.core.tokens.folding import plain, plain_with_spans

Kind = Literal["whole", "part", "word", "cjk"]
Span = tuple[int, int]

# Longer runs (base64, minified code) are found by their first characters.
MAX_TOKEN_LENGTH = 64

# Scripts written without spaces between words: Chinese, Japanese and Korean, and Thai, Lao, Burmese and Khmer,
# which need the same bigrams.
_CJK = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3031-\u3035"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_CJK}]"

CJK_RUN = re.compile(f"[{_CJK}]++")
# Names joined as paths, dotted names, flags and Rust or C++ paths are. Possessive: nothing to come back to.
NAME_RUN = re.compile(rf"{_LETTER}++(?:(?:[./\\-]|::){_LETTER}++)*+")
# The same in a text of ASCII, where it is found in half the time.
ASCII_NAME_RUN = re.compile(r"[0-9A-Za-z_]++(?:(?:[./\\-]|::)[0-9A-Za-z_]++)*+")
_RUN = re.compile(f"({CJK_RUN.pattern})|{NAME_RUN.pattern}")

# Between joints; the dots of a version number are none.
SEGMENT = re.compile(r"[vV]?\d++(?:\.\d++)++\w*+|\w++")
# The same in a text of ASCII in small letters, without those that have no text.
ASCII_SEGMENT = re.compile(r"v?[0-9]++(?:\.[0-9]++)++[0-9a-z_]*+|_*+[0-9a-z][0-9a-z_]*+")
_VERSION = re.compile(r"[vV]?(?P<numbers>\d++(?:\.\d++)++)(?P<suffix>\w*+)")
_LOWER = r"[^\W_A-Z]"
_HUMP = re.compile(rf"[A-Z]{{2,}}s(?!{_LOWER})|[A-Z]+(?=[A-Z][a-z])|[A-Z]*{_LOWER}+|[A-Z]+")
HAS_DIGIT = re.compile("[0-9]")
# The same in names of ASCII without digits: identifiers between joints, and the words of all of them.
_LETTER_SEGMENT = re.compile("_*+[A-Za-z][A-Za-z_]*+")
_LETTER_HUMP = re.compile("[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z]+|[A-Z]+")
_SMALL_LETTERS = re.compile("[a-z]++")
_LETTERS_THEN_DIGITS = re.compile(r"(?P<letters>[A-Za-z]{2,})(?P<digits>\d+)")
# What is longer is no identifier: only its beginning is split.
_SPLIT_AT_MOST = 1024

# Text is taken in blocks that end at a white space, so that the first tokens of 8 MiB cost no more than a block.
_BLOCK = re.compile(r"(?s).{1,4096}\S{0,65536}+")


@dataclass(frozen=True, slots=True)
class Token:
    """One searchable word: its folded text and where it stands in the original text, `original[start:end]`.

    `kind` is `whole` (a name that has parts), `part` (of such a name, or one character of Chinese), `word`
    (a name without parts) or `cjk` (two neighbouring characters; one, where it stands alone).
    """

    text: str
    start: int
    end: int
    kind: Kind


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of `text` in its order, a whole name before its parts. Lazy and linear.

    >>> [(token.text, token.kind) for token in tokenize("AscendKVManager 修复")]
    [('ascendkvmanager', 'whole'), ('ascend', 'part'), ('kv', 'part'), ('manager', 'part'), ('修复', 'cjk'), ('修', 'part'), ('复', 'part')]
    """  # noqa: E501
    for block in _BLOCK.finditer(text):
        folded, starts, ends = plain_with_spans(block[0])
        offset = block.start()
        for match in _RUN.finditer(folded):
            spans = _cjk_spans(match[0]) if match[1] else _name_spans(match[0])
            base = match.start()
            for kind, start, end in spans:
                word = token_text(match[0][start:end])
                yield Token(word, offset + starts[base + start], offset + ends[base + end - 1], kind)


def runs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each run of letters of `text`, folded in all but case, and whether it is split by bigrams."""
    for match in _RUN.finditer(plain(text)):
        yield match[0], bool(match[1])


def token_text(piece: str) -> str:
    """Return the token that stands for `piece` in the index: case folded, and cut."""
    return piece[:MAX_TOKEN_LENGTH].casefold()[:MAX_TOKEN_LENGTH]


def is_name_letter(character: str) -> bool:
    """Return whether a character is a letter or digit of a script with spaces between words; False for none at all."""
    return character.isalnum() and CJK_RUN.match(character) is None


def is_one_word(name: str) -> bool:
    """Return whether a name is seen at a glance to be a word or number without parts; False where it may have some."""
    if not name.isascii() or len(name) > _SPLIT_AT_MOST:
        return False
    return name.isdigit() or (name.isalpha() and (name.islower() or name.istitle() or name.isupper()))


def has_text(piece: str) -> bool:
    """Return whether `piece` of a name is more than underscores and joints."""
    return bool(piece.strip("_./\\-:"))


def bigrams(run: str) -> Iterator[str]:
    """Yield the pairs of neighbours in a run; the run itself where it is one character."""
    if len(run) == 1:
        return iter((run,))
    return map(add, run, run[1:])


def segments(name: str) -> Iterator[str]:
    """Yield the identifiers of a joined name: `a.b_c/1.2.3` has `a`, `b_c` and `1.2.3`."""
    return filter(has_text, SEGMENT.findall(name))


def leaves(segment: str) -> list[str]:
    """Return the words of one identifier: `dst_device_kvCache` has four; a version is one."""
    if _VERSION.fullmatch(segment) or _is_number(segment):
        return [segment]
    return _HUMP.findall(segment, 0, _SPLIT_AT_MOST)


def inner_parts(segment: str) -> Sequence[str]:
    """Return the parts of one identifier in their order, itself left out."""
    return _short_inner_parts(segment) if len(segment) <= MAX_TOKEN_LENGTH else _find_inner_parts(segment)


def letters_and_digits(segment: str) -> Sequence[str]:
    """Return the two parts of `sha256`; none of a word that is not made like that."""
    numbered = _LETTERS_THEN_DIGITS.fullmatch(segment)
    return numbered.groups() if numbered else ()


def letter_parts(name: str) -> list[str]:
    """Return the parts of a name of ASCII without digits, some of them again; most names are such.

    >>> letter_parts("vit/AscendKVManager.run")
    ['vit', 'AscendKVManager', 'run', 'vit', 'Ascend', 'KV', 'Manager', 'run']
    """
    words = (_SMALL_LETTERS if name.islower() else _LETTER_HUMP).findall(name)
    if name.isidentifier():
        return [word for word in words if word != name]
    return _LETTER_SEGMENT.findall(name) + words


def _is_number(segment: str) -> bool:
    """Return whether a segment is a number of some kind, `0x1F` or `3rd`, whose letters are no words."""
    return segment[0].isdigit() and "." not in segment and "_" not in segment


def _find_inner_parts(segment: str) -> list[str]:
    if is_one_word(segment):
        return []
    if segment[0].isdigit() or "." in segment:
        return [segment[start:end] for start, end in _inner_spans(segment)]
    parts: list[str] = []
    for hump in _humps(segment):
        if len(hump) != len(segment):
            parts.append(hump)
        if hump[-1].isdecimal():
            parts += letters_and_digits(hump)
    return parts


_short_inner_parts = lru_cache(maxsize=1 << 15)(_find_inner_parts)


def _humps(segment: str) -> list[str]:
    """Return the words of an identifier; those of one in small letters are what is between its underscores."""
    if segment.isascii() and segment.islower():
        return [*filter(None, segment[:_SPLIT_AT_MOST].split("_"))]
    return _HUMP.findall(segment, 0, _SPLIT_AT_MOST)


def _inner_spans(segment: str) -> Iterator[Span]:
    if _is_number(segment):
        return iter(())
    version = _VERSION.fullmatch(segment)
    return _version_spans(version) if version else _word_spans(segment)


def _version_spans(match: re.Match[str]) -> Iterator[Span]:
    if match["numbers"] != match[0]:
        yield match.span("numbers")
    if has_text(match["suffix"]):
        yield match.span("suffix")


def _word_spans(segment: str) -> Iterator[Span]:
    for hump in _HUMP.finditer(segment, 0, _SPLIT_AT_MOST):
        if hump.span() != (0, len(segment)):
            yield hump.span()
        numbered = _LETTERS_THEN_DIGITS.fullmatch(hump[0])
        if numbered:
            middle = hump.start() + numbered.end("letters")
            yield hump.start(), middle
            yield middle, hump.end()


def _part_spans(name: str) -> Iterator[Span]:
    for segment in SEGMENT.finditer(name):
        start, end = segment.span()
        if end - start < len(name) and has_text(segment[0]):
            yield start, end
        for first, last in _inner_spans(segment[0]):
            yield start + first, start + last


def _cjk_spans(run: str) -> Iterator[tuple[Kind, int, int]]:
    if len(run) == 1:
        yield "cjk", 0, 1
        return
    for start in range(len(run)):
        if start + 2 <= len(run):
            yield "cjk", start, start + 2
        yield "part", start, start + 1


def _name_spans(name: str) -> Iterator[tuple[Kind, int, int]]:
    if not has_text(name):
        return
    parts = _part_spans(name)
    first = next(parts, None)
    yield ("word" if first is None else "whole"), 0, len(name)
    if first is not None:
        yield "part", *first
    for start, end in parts:
        yield "part", start, end
