"""Search: the rarest of the tokens that a row must hold: they find the few rows in which the others are looked for.

An index takes the longer the more common the tokens are that it is asked for, however few rows hold all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from errorkb.search.backends import COLUMNS, Match, Tokens
from errorkb.search.candidate_rows import LIKENESS_LENGTH, RANKED_LENGTH, TITLE_LENGTH, Row

# So many rows at most are worth reading to look for the other tokens in them; about so many are expected.
MOST_READ = 120
_EXPECTED = 60
# A token that so few rows hold is looked up in the index as quickly as in rows.
_FEW = 20_000
# Where in a row the columns of tokens stand, each with the length from which on something may be cut off.
_PLACES = ((3, TITLE_LENGTH), (4, RANKED_LENGTH), (5, LIKENESS_LENGTH))


def by_rarest(match: Match, held: Mapping[str, int], estimate: Callable[[Match], float]) -> Match | None:
    """Return a match of the rarest tokens of one, which few rows seem to hold; None where that spares nothing.

    `held` says how many rows hold a token, without figures of rare ones; `estimate`, about how many rows match.
    """
    if len(match.any_of) != 1 or match.columns != COLUMNS or match.last_is_prefix:
        return None
    tokens = sorted(match.any_of[0], key=lambda token: (held.get(token, 0), token))
    least = sum(held.get(token, 0) <= _FEW for token in tokens)
    for count in range(max(least, 1), len(tokens)):
        rarest = replace(match, any_of=(tuple(tokens[:count]),))
        if estimate(rarest) <= _EXPECTED:
            return rarest
    return None


def holding(rows: Sequence[Row], tokens: Tokens) -> list[Row] | None:
    """Return those of `rows`, read with all their tokens, that hold these; None where what was cut off might tell."""
    padded = [f" {token} " for token in tokens]
    found = []
    for row in rows:
        text = f" {' '.join([row[place] for place, _ in _PLACES])} "
        if all(token in text for token in padded):
            found.append(row)
        elif any(len(row[place]) >= length for place, length in _PLACES):
            return None
    return found
