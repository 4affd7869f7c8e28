"""Core: what of a text goes into the index, and what a query asks it for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from errorkb.core.tokens.folding import plain
from errorkb.core.tokens.splitting import (
    CJK_RUN,
    MAX_TOKEN_LENGTH,
    NAME_RUN,
    bigrams,
    has_text,
    inner_parts,
    is_one_word,
    leaves,
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


@dataclass(frozen=True, slots=True)
class IndexTokens:
    """The distinct tokens of a text, separated by spaces: names as they stand, and the parts of names."""

    whole: str
    parts: str


def index_tokens(text: str) -> IndexTokens:
    """Return the tokens by which `text` is to be found, each once, in the order of first appearance.

    No token is longer than MAX_TOKEN_LENGTH or holds a space, a quote or a control character. Linear in `text`.

    >>> index_tokens("fields.E304: clashes")
    IndexTokens(whole='fields.e304 clashes', parts='fields e304')
    """
    folded = plain(text)
    whole: dict[str, None] = {}
    parts: dict[str, None] = {}
    for name in dict.fromkeys(NAME_RUN.findall(folded)):
        token, token_parts = _short_name_tokens(name) if len(name) <= MAX_TOKEN_LENGTH else _name_tokens(name)
        if token:
            whole[token] = None
            if token_parts:
                parts.update(token_parts)
    if not folded.isascii():
        for run in dict.fromkeys(CJK_RUN.findall(folded)):
            whole.update(dict.fromkeys(bigrams(run)))
            parts.update(dict.fromkeys(run if len(run) > 1 else ""))
    return IndexTokens(" ".join(whole), " ".join(parts))


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
    return tuple(_sequence(text, segments))


def _tokens(text: str, split: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Return the distinct tokens of `text`, the names in it taken apart by `split`."""
    return tuple(dict.fromkeys(_sequence(text, split)))


def _sequence(text: str, split: Callable[[str], Iterable[str]]) -> Iterator[str]:
    pieces = (piece for run, is_cjk in runs(text) for piece in (bigrams(run) if is_cjk else split(run)))
    return map(token_text, pieces)


def _name_tokens(name: str) -> tuple[str, Mapping[str, None]]:
    """Return the token of a name, empty where it is none, and those of its parts, as the keys of a mapping."""
    if is_one_word(name):
        return token_text(name), _NO_PARTS
    if not has_text(name):
        return "", _NO_PARTS
    parts = _parts(name)
    if name.isascii() and len(name) <= MAX_TOKEN_LENGTH:
        return name.lower(), dict.fromkeys("\n".join(parts).lower().split("\n")) if parts else _NO_PARTS
    return token_text(name), dict.fromkeys(map(token_text, parts))


_NO_PARTS: Mapping[str, None] = {}
_short_name_tokens = lru_cache(maxsize=1 << 15)(_name_tokens)


def _parts(name: str) -> list[str]:
    identifiers = dict.fromkeys(segments(name))
    parts = [*identifiers] if len(identifiers) > 1 or name not in identifiers else []
    for identifier in identifiers:
        parts += inner_parts(identifier)
    return parts
