"""Search: which few words to ask for where no document has them all: rare ones alone, others in pairs."""

from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise

from errorkb.search.backends import Tokens

RAREST = 6
MOST_PAIRS = 24


def likely_groups(tokens: Tokens, counts: Mapping[str, int], *, enough: int) -> tuple[Tokens, ...]:
    """Return groups of tokens, rare ones first; a document that holds all of one group is worth looking at.

    The rarest tokens make a group each, as long as no more than `enough` documents hold them altogether. Then come
    pairs: of the rarest with each other, and of neighbours in the query, for the words of one message stand side by
    side. `counts` says how many documents hold each token; those that none holds are left out.
    """
    known = [token for token in tokens if counts.get(token)]
    by_rarity = sorted(known, key=lambda token: counts[token])
    pairs = {*combinations(by_rarity[:RAREST], 2), *pairwise(known)}
    rare_pairs = sorted(pairs, key=lambda pair: (counts[pair[0]] + counts[pair[1]], pair))
    groups = [*_rare(by_rarity, counts, enough), *rare_pairs[:MOST_PAIRS]]
    return tuple(groups or ((token,) for token in by_rarity[:1]))


def _rare(by_rarity: Iterable[str], counts: Mapping[str, int], enough: int) -> Iterable[Tokens]:
    for token in by_rarity:
        enough -= counts[token]
        if enough < 0:
            return
        yield (token,)
