"""Search: which rows may be results: asked of the database by tokens and filters, a thousand at most, then ranked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from errorkb.core.queries import Query
from errorkb.search.backends import COLUMNS, Match, Tokens
from errorkb.search.corrections import Correction, corrected
from errorkb.search.groups import cheap_title_groups, likely_groups, title_groups
from errorkb.search.messages import entries_with_message
from errorkb.search.phrases import sort_by_phrases
from errorkb.search.ranking import Asked, Candidate, Rank, is_elsewhere, is_fitting, is_known, ranked_by_likeness
from errorkb.search.shortlists import Rows, Shortlist, shortlist
from errorkb.search.terms import MAX_TERMS, Terms, terms_of

# So many candidates are ranked, and results counted exactly.
MOST_CANDIDATES = 1000
# Where there are more, so many are ranked of those with the words in the title or the names, and so many at least of
# all; where about so many hold all words, it is not tried to read them.
MOST_RANKED = 400
ENOUGH_RANKED = 100
TOO_MANY = 1000
# Of rows that hold only some of the words, so many are looked at.
MOST_ALIKE = 300
ENOUGH_ALIKE = 50
# Of those whose titles have neighbours of a pasted text, so many.
MOST_NEIGHBOURS = 150
# So many of them are shown.
MOST_NEAR = 5
# Shorter texts are no message with a value in it.
LEAST_PASTED = 3
# Nor shorter ones its beginning, where all words are found otherwise.
LEAST_BEGUN = 5
# Shorter beginnings of words are those of too many.
LEAST_PREFIX = 3

# Candidates with their ranks, by primary key.
Ranks = dict[int, tuple[Rank, Candidate]]


@dataclass(frozen=True, slots=True)
class Found:
    """Ranked candidates, and the tokens that they were found by.

    `is_cut`: there are more than were looked at; `some_words`: they hold some of what was asked for, none has all;
    `unknown` are the tokens that no row holds, where that is why. `prefix` is a token of which they hold a longer one.
    `corrections` are words as they were typed, each with the one that was searched for in its place.
    """

    candidates: Sequence[Candidate]
    tokens: Tokens
    is_cut: bool = False
    some_words: bool = False
    unknown: Tokens = ()
    prefix: str = ""
    corrections: tuple[Correction, ...] = ()


def find_candidates(rows: Rows, query: Query, terms: Terms, *, exact: bool = False) -> Found:
    """Return what `query` finds among `rows`, best first. The number of database queries does not depend on the data.

    These are the rows that hold every word and phrase, and the messages that the query is, values and all. Where there
    are none, those that hold the words by the parts of their names, a single name by the beginning of its last part
    too; then the same without the lines of files, which move. Where there are none either, the same with words that
    were meant in the place of mistyped ones, unless `exact` is asked for; then the messages that the query seems to be
    by neighbours in their titles, which take longest to be found; and at last the rows that hold some of the words.
    """
    search = _search(rows, query, terms)
    if found := search.full() or search.by_parts():
        return found
    if (anywhere := query.without_lines()) != query:
        return find_candidates(rows, anywhere, terms_of(anywhere), exact=exact)
    meant = None if exact else corrected(search.among, query, terms)
    if meant is None:
        return search.by_neighbours() or search.some()
    again = _search(rows, meant.query, terms_of(meant.query))
    found = again.full() or again.by_parts()
    if found is None and (found := search.by_neighbours()):
        return found
    return replace(found or again.by_neighbours() or again.some(), corrections=meant.corrections)


def _search(rows: Rows, query: Query, terms: Terms) -> "_Search":
    return _Search(shortlist(rows, terms.known), query, terms)


@dataclass(frozen=True, slots=True)
class _Search:
    """One query, and the rows among which it looks."""

    among: Shortlist
    query: Query
    terms: Terms

    def full(self) -> Found | None:
        """Return what holds everything, and the messages that were pasted; None where there is nothing."""
        terms, asked = self.terms, Asked(self.query.unfiltered, self.terms)
        full, is_cut = self._holding_all(terms)
        kept, near = sort_by_phrases(full, terms)
        ranks = _ranks(kept, asked)
        if self._may_be_pasted(ranks):
            fitting = _ranks(self._best_fitting(self._keyed()), asked)
            ranks |= {pk: found for pk, found in fitting.items() if not kept or is_fitting(found[0])}
        if self._are_tales(ranks):
            begun = _ranks(self._begun(), asked)
            ranks |= {pk: found for pk, found in begun.items() if is_fitting(found[0])}
        if ranks or not terms.required:
            found = [*_sorted(ranks), *(one for one in kept if one.is_unread and one.pk not in ranks)]
            return Found(found[:MOST_CANDIDATES], terms.required, is_cut or len(found) > MOST_CANDIDATES)
        if near:
            return Found(sorted(near, key=asked.rank), terms.required, is_cut, some_words=True)
        return None

    def by_neighbours(self) -> Found | None:
        """Return the messages that were pasted with values, found by neighbours in their titles; None without any."""
        if not self._may_be_pasted({}):
            return None
        terms, words = self.terms, self.terms.pasted.distinct[:MAX_TERMS]
        for groups in title_groups(words, self.among.counts(words, ("title",)).tokens):
            if best := self._neighbouring(groups):
                return Found(sorted(best, key=Asked(self.query.unfiltered, terms).rank), terms.required)
        return None

    def by_parts(self) -> Found | None:
        """Return what holds the words by the parts of their names, if anything does."""
        terms = replace(self.terms, required=self.terms.by_parts)
        if terms.phrases:
            return None
        asked = Asked(self.query.unfiltered, terms)
        if terms != self.terms:
            full, is_cut = self._holding_all(terms)
            kept, _ = sort_by_phrases(full, terms)
            if kept:
                return Found(sorted(kept, key=asked.rank), terms.required, is_cut)
        if len(self.query.words) > 1 or len(terms.required[-1]) < LEAST_PREFIX:
            return None
        beginning = Match((terms.narrowing + terms.required,), terms.excluded, last_is_prefix=True)
        kept, _ = sort_by_phrases(self.among.candidates(beginning, MOST_CANDIDATES), terms)
        return Found(sorted(kept, key=asked.rank), terms.required, prefix=terms.required[-1]) if kept else None

    def some(self) -> Found:
        """Return the few rows that are most like what was asked for."""
        terms = self.terms
        tokens = tuple(dict.fromkeys(terms.required + terms.by_parts))
        counts = self.among.counts(tokens)
        unknown = tuple(token for token in terms.required if not counts.tokens[token])
        alike: dict[int, Candidate] = {}
        for groups in likely_groups(terms.required, terms.by_parts, counts.tokens, enough=MOST_ALIKE // 2):
            wanted = Match(tuple(group + terms.narrowing for group in groups), terms.excluded)
            found = self.among.candidates(wanted, MOST_ALIKE, with_other=True)
            alike.update((candidate.pk, candidate) for candidate in found)
            if len(alike) >= ENOUGH_ALIKE:
                break
        kept, _ = sort_by_phrases([*alike.values()], replace(terms, phrases=()))
        best = ranked_by_likeness(kept, terms, counts)[:MOST_NEAR]
        return Found(best, tokens, some_words=bool(best), unknown=unknown)

    def _holding_all(self, terms: Terms) -> tuple[list[Candidate], bool]:
        """Return the candidates that hold all required tokens, and whether there are more of them.

        The database gives them in the order of their keys. Where there are too many to rank, those are that hold the
        tokens in the title or in the names; of the others, all that is read is their keys.
        """
        everywhere = _match(terms.required, terms)
        if not terms.required or self.among.estimate(everywhere) < TOO_MANY:
            found = self.among.candidates(everywhere, MOST_CANDIDATES + 1)
            if len(found) <= MOST_CANDIDATES or not terms.required:
                return found[:MOST_CANDIDATES], len(found) > MOST_CANDIDATES
            return _first_of_each([*self._best(terms), *found]), True
        keys = self.among.keys(everywhere, MOST_CANDIDATES + 1)
        if len(keys) <= MOST_RANKED:
            return self.among.at(keys), False
        best = self._best(terms)
        best += self.among.at(keys[: max(ENOUGH_RANKED - len(best), 0)])
        return _first_of_each([*best, *map(Candidate.unread, keys)]), len(keys) > MOST_CANDIDATES

    def _best(self, terms: Terms) -> list[Candidate]:
        """Return the likeliest candidates: those with all tokens in the title, and in the names where these are few.

        Where there are too many, those are that have the common words in the title, too.
        """
        best = self._within(("title",), terms.required, terms)
        if len(best) < (MOST_RANKED if len(terms.required) == 1 else ENOUGH_RANKED):
            return best + self._within(("title", "names"), terms.required, terms)
        if len(best) < MOST_RANKED or not self._has_common_words(terms):
            return best
        return self._within(("title",), terms.pasted.distinct[:MAX_TERMS], terms) + best

    def _within(self, columns: tuple[str, ...], tokens: Tokens, terms: Terms) -> list[Candidate]:
        return self.among.candidates(_match(tokens, terms, columns), MOST_RANKED)

    def _has_common_words(self, terms: Terms) -> bool:
        """Return whether the query has words that no result needs, though the best ones have them."""
        return not terms.phrases and len(terms.pasted.distinct) > len(terms.required)

    def _may_be_pasted(self, ranks: Ranks) -> bool:
        """Return whether the query may be a message with values in it, that none of the results is word for word."""
        if len(self.terms.pasted.words) < LEAST_PASTED or (self.terms.phrases and ranks):
            return False
        return not any(is_known(rank) for rank, _ in ranks.values())

    def _are_tales(self, ranks: Ranks) -> bool:
        """Return whether the query may be the beginning of a message, and all results only have its words elsewhere."""
        if len(self.query.words) < LEAST_BEGUN or self.terms.phrases:
            return False
        return bool(ranks) and all(is_elsewhere(rank) for rank, _ in ranks.values())

    def _begun(self) -> list[Candidate]:
        """Return the messages that the query seems to be the beginning of: at little cost, so not always found.

        Words that the table of frequencies lacks are taken for values; only where it lacks all are they asked about.
        """
        words = self.terms.pasted.distinct[:MAX_TERMS]
        known = tuple(word for word in words if word in self.among.frequencies.titles)
        groups = cheap_title_groups(known or words, self.among.counts(known or words, ("title",)).tokens)
        return self._neighbouring(groups) if groups else []

    def _neighbouring(self, groups: tuple[Tokens, ...]) -> list[Candidate]:
        """Return the candidates with one of some groups of words in their titles that fit the query best."""
        return self._best_fitting(
            self.among.candidates(Match(groups, self.terms.excluded, ("title",)), MOST_NEIGHBOURS)
        )

    def _best_fitting(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates whose template's literal words the query has in their order, the best of them."""
        fits = [candidate.fit(self.terms.pasted) for candidate in candidates]
        most = max(fits, default=0)
        best = [candidate for candidate, fit in zip(candidates, fits, strict=True) if fit * 2 > most]
        return sort_by_phrases(best, replace(self.terms, phrases=()))[0]

    def _keyed(self) -> list[Candidate]:
        """Return the candidates that the keys of their messages lead to."""
        return self.among.of_entries(entries_with_message(self.query.unfiltered), self.terms.excluded)


def _first_of_each(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the first MOST_CANDIDATES different ones."""
    found: dict[int, Candidate] = {}
    for candidate in candidates:
        found.setdefault(candidate.pk, candidate)
    return [*found.values()][:MOST_CANDIDATES]


def _ranks(candidates: Iterable[Candidate], asked: Asked) -> Ranks:
    """Return the ranks of those candidates that were read: the others come behind them, in the order of their keys."""
    return {candidate.pk: (asked.rank(candidate), candidate) for candidate in candidates if not candidate.is_unread}


def _sorted(ranks: Ranks) -> list[Candidate]:
    return [candidate for _, candidate in sorted(ranks.values())]


def _match(tokens: Tokens, terms: Terms, columns: tuple[str, ...] = COLUMNS) -> Match:
    wanted = tokens + terms.narrowing if columns == COLUMNS else tokens
    return Match((wanted,) if wanted else (), terms.excluded, columns)
