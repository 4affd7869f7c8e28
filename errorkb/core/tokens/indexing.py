"""Core: what of a text goes into the index, and what a query asks it for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from errorkb.core.tokens.folding import plain
from errorkb.core.tokens.splitting import (
    ASCII_NAME_RUN,
    ASCII_SEGMENT,
    CJK_RUN,
    HAS_DIGIT,
    MAX_TOKEN_LENGTH,
    NAME_RUN,
    bigrams,
    has_text,
    inner_parts,
    is_one_word,
    leaves,
    letter_parts,
    letters_and_digits,
    runs,
    segments,
    token_text,
)

# English words that nearly every document has: they rank, but no result needs them while other words are asked for.
_STOP_WORDS = (
    "a an and are as at be but by can d do does for from has have i if in into is it its no not of on or s t than that "
    "the their then there these this to was were when which will with you your"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())


# Tokens, each once, in their order.
Distinct = dict[str, None]


class IndexTokens(NamedTuple):
    """The distinct tokens of a text: names as they stand, and the parts of names."""

    whole: Distinct
    parts: Distinct


def index_tokens(text: str) -> IndexTokens:
    """Return the tokens by which `text` is to be found, each once, in the order of first appearance.

    No token is longer than MAX_TOKEN_LENGTH or holds a space, a quote or a control character. Linear in `text`.

    >>> [[*tokens] for tokens in index_tokens("fields.E304: clashes")]
    [['fields.e304', 'clashes'], ['fields', 'e304']]
    """
    folded = plain(text)
    names = [*dict.fromkeys((ASCII_NAME_RUN if folded.isascii() else NAME_RUN).findall(folded))]
    whole, parts = (_plain_names_tokens if _are_plain(names) else _names_tokens)(names)
    if not folded.isascii():
        for run in dict.fromkeys(CJK_RUN.findall(folded)):
            whole.update(dict.fromkeys(bigrams(run)))
            parts.update(dict.fromkeys(run if len(run) > 1 else ""))
    return IndexTokens(whole, parts)


def query_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens that a document must have to be found by `text`, each once.

    A name joined of several (a path, a dotted name, a flag) asks for each of them, so that a piece of a path finds it.

    >>> query_tokens("ascend/conn.py 接口漂移 0.5.18")
    ('ascend', 'conn', 'py', '接口', '口漂', '漂移', '0.5.18')
    """
    return _tokens(text, segments)


def whole_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of `text` as it stands: joined names are one token each.

    >>> whole_tokens("ascend/conn.py")
    ('ascend/conn.py',)
    """
    return _tokens(text, lambda name: (name,) if has_text(name) else ())


def part_tokens(text: str) -> tuple[str, ...]:
    """Return the smallest words of `text`: `kv_indices` is found by them inside `dst_device_kv_indices`.

    >>> part_tokens("AscendKVManager")
    ('ascend', 'kv', 'manager')
    """
    return _tokens(text, lambda name: (leaf for segment in segments(name) for leaf in leaves(segment)))


def word_sequence(text: str) -> tuple[str, ...]:
    """Return the tokens of `text` as `query_tokens` makes them, in their order and as often as they occur.

    >>> word_sequence("a.b or a")
    ('a', 'b', 'or', 'a')
    """
    if text.isascii():
        return tuple([word[:MAX_TOKEN_LENGTH] for word in ASCII_SEGMENT.findall(text.lower())])
    return tuple(_sequence(text, segments))


def _tokens(text: str, split: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Return the distinct tokens of `text`, the names in it taken apart by `split`."""
    return tuple(dict.fromkeys(_sequence(text, split)))


def _sequence(text: str, split: Callable[[str], Iterable[str]]) -> Iterator[str]:
    pieces = (piece for run, is_cjk in runs(text) for piece in (bigrams(run) if is_cjk else split(run)))
    return map(token_text, pieces)


def _are_plain(names: Sequence[str]) -> bool:
    """Return whether names are short and of ASCII, as nearly all are: those are folded together."""
    return max(map(len, names), default=0) <= MAX_TOKEN_LENGTH and "".join(names).isascii()


def _plain_names_tokens(names: Sequence[str]) -> tuple[Distinct, Distinct]:
    """Return the tokens of names that are plain, and those of their parts."""
    whole = dict.fromkeys(" ".join(names).lower().split())
    with_parts = [
        name for name in names if not (name.isalpha() and (name.islower() or name.istitle() or name.isupper()))
    ]
    for name in with_parts:
        if name[0] == "_" and not has_text(name):
            del whole[name]
    return whole, dict.fromkeys(" ".join(map(_plain_name_parts, with_parts)).lower().split())


def _names_tokens(names: Sequence[str]) -> tuple[Distinct, Distinct]:
    """Return the tokens of any names, and those of their parts."""
    named = [*filter(has_text, names)]
    parts = (part for name in named if not is_one_word(name) for part in _parts(name))
    return dict.fromkeys(map(token_text, named)), dict.fromkeys(map(token_text, parts))


@lru_cache(maxsize=1 << 14)
def _plain_name_parts(name: str) -> str:
    """Return the parts of a plain name, separated by spaces; some may come again."""
    if name.isalnum() and (name.islower() or name[0].isdigit()):
        return " ".join(letters_and_digits(name))
    return " ".join(_parts(name) if HAS_DIGIT.search(name) else letter_parts(name))


def _parts(name: str) -> list[str]:
    identifiers = dict.fromkeys(segments(name))
    parts = [*identifiers] if len(identifiers) > 1 or name not in identifiers else []
    for identifier in identifiers:
        parts += inner_parts(identifier)
    return parts
