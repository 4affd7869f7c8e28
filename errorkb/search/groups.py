"""Search: which of its words to ask for where no document has all words of a query: long runs first, rare ones last."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations

from errorkb.core.tokens import STOP_WORDS
from errorkb.search.backends import Tokens

# Runs of neighbours that are tried, after one of half the query; and how many groups one question has at most.
_RUNS = (4, 3)
_MOST_GROUPS = 64
# A group costs as much as its rarest token has documents; so many of a question may be looked at.
_MOST_DOCUMENTS = 10_000
_FEW_GROUPS, _FEW_DOCUMENTS = 2, 400
_RAREST = 6


def likely_groups(
    required: Tokens, by_parts: Tokens, counts: Mapping[str, int], *, enough: int
) -> Iterator[tuple[Tokens, ...]]:
    """Yield groups of tokens, in questions to ask one after the other until enough documents are found.

    A document that holds all tokens of one group is worth looking at. The words of a message stand side by side, and
    values are what no document has: so first all tokens that any document holds, then runs of neighbours, shorter and
    shorter, then pairs, and tokens that no more than `enough` documents hold altogether.

    `counts` says how many documents hold each token of `required` and `by_parts`.
    """
    known = [token for token in required if counts.get(token)]
    sizes = {len(known)} if 1 < len(known) < len(required) else set()
    sizes.update(size for size in (len(known) // 2, *_RUNS) if 2 < size < len(known))
    for size in sorted(sizes, reverse=True):
        yield _runs(known, size, counts)
    by_rarity = sorted((token for token in {*required, *by_parts} if counts.get(token)), key=lambda t: (counts[t], t))
    if by_rarity:
        pairs = _rarest([*combinations(by_rarity[:_RAREST], 2), *_runs(known, 2, counts)], counts)
        yield tuple(dict.fromkeys([*_rare(by_rarity, counts, enough), *pairs])) or ((by_rarity[0],),)


def title_groups(tokens: Tokens, counts: Mapping[str, int]) -> Iterator[tuple[Tokens, ...]]:
    """Yield groups of tokens by which titles are to be looked for, in two questions: runs of three neighbours, of two.

    `counts` says how many titles hold each token.
    """
    known = [token for token in tokens if counts.get(token)]
    for size in (3, 2):
        if len(known) >= size:
            yield _runs(known, size, counts)


def cheap_title_groups(tokens: Tokens, counts: Mapping[str, int]) -> tuple[Tokens, ...]:
    """Return the runs of three telling neighbours that are soon looked for in titles, a few at most."""
    known = [token for token in tokens if token not in STOP_WORDS and 0 < counts.get(token, 0) < _MOST_DOCUMENTS]
    return _cheapest(_neighbours(known, 3), counts, _FEW_DOCUMENTS)[:_FEW_GROUPS]


def _runs(tokens: Sequence[str], size: int, counts: Mapping[str, int]) -> tuple[Tokens, ...]:
    return _rarest(_neighbours(tokens, size), counts)


def _neighbours(tokens: Sequence[str], size: int) -> list[Tokens]:
    return [tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)]


def _rarest(groups: Sequence[Tokens], counts: Mapping[str, int]) -> tuple[Tokens, ...]:
    """Return the rarest groups, as many as a question may have, and the rarest one whatever it costs."""
    return _cheapest(groups, counts, _MOST_DOCUMENTS) or tuple(_by_size(groups, counts)[:1])


def _cheapest(groups: Sequence[Tokens], counts: Mapping[str, int], most: int) -> tuple[Tokens, ...]:
    """Return the rarest groups, as many as may be looked at if that are so many documents at most."""
    by_size = _by_size(groups, counts)
    costs = accumulate(_size(group, counts) for group in by_size)
    return tuple(group for cost, group in zip(costs, by_size, strict=True) if cost <= most)[:_MOST_GROUPS]


def _by_size(groups: Sequence[Tokens], counts: Mapping[str, int]) -> list[Tokens]:
    return sorted(groups, key=lambda group: (_size(group, counts), group))


def _size(group: Tokens, counts: Mapping[str, int]) -> int:
    return min(counts[token] for token in group)


def _rare(by_rarity: Sequence[str], counts: Mapping[str, int], enough: int) -> Iterator[Tokens]:
    for token in by_rarity:
        enough -= counts[token]
        if enough < 0:
            return
        yield (token,)
