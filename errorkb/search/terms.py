"""Search: the tokens that a query asks for: those that a result needs, those that it must not have, and phrases."""

import re
from dataclasses import dataclass

from errorkb.core.queries import Query, has_wildcard
from errorkb.core.tokens import STOP_WORDS, Phrase, part_tokens, phrase, query_tokens, whole_tokens, word_sequence
from errorkb.search.backends.base import Tokens
from errorkb.search.templates import NOTHING_PASTED, Pasted

# A query of MAX_QUERY_LENGTH characters may have more, all of one or two letters.
MAX_TERMS = 256


@dataclass(frozen=True, slots=True)
class Terms:
    """What is looked for.

    `required`: tokens that every full result holds, in the query's order; `by_parts`: the same with each name taken
    apart, `whole`: with joined names left whole. `pasted`: all of the query as one text. `narrowing`: tokens that a
    filter's value implies, which spare the database to look at every row. `excluded`: groups of which no result holds
    all.
    """

    required: Tokens = ()
    by_parts: Tokens = ()
    whole: Tokens = ()
    pasted: Pasted = NOTHING_PASTED
    narrowing: Tokens = ()
    excluded: tuple[Tokens, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    excluded_phrases: tuple[Phrase, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def known(self) -> Tokens:
        """Return every token whose frequency is of use."""
        return tuple(dict.fromkeys((*self.required, *self.by_parts, *self.pasted.distinct[:MAX_TERMS])))

    @property
    def are_none(self) -> bool:
        """Return whether nothing is looked for in the texts: filters alone decide."""
        return not (self.required or self.excluded or self.phrases or self.excluded_phrases)


# Filters whose value, where there is one, stands whole in the tokens of every row that passes.
_IMPLYING = ("type", "code", "symbol", "path", "module")
# What a pattern of paths has whole: folders and files without a wildcard, and the ending of files.
_WHOLE_IN_PATH = re.compile(r"(?:^|(?<=/))[^/*?]+(?=/|$)|(?<=[*?]\.)[A-Za-z]+$")


def terms_of(query: Query) -> Terms:
    """Return the tokens that `query` asks for. Common words are asked for only where there are no others."""
    text = " ".join((*query.words, *query.phrases))
    tokens = query_tokens(text)
    required, whole = _telling(tokens), whole_tokens(text)
    problems = (f"Only the first {MAX_TERMS} words were searched for.",) if len(required) > MAX_TERMS else ()
    return Terms(
        required=required[:MAX_TERMS],
        by_parts=_telling(part_tokens(text))[:MAX_TERMS],
        whole=whole[:MAX_TERMS],
        pasted=Pasted(word_sequence(query.unfiltered), len(whole)),
        narrowing=_implied(query),
        excluded=tuple(query_tokens(word) for word in query.excluded_words),
        phrases=tuple(map(phrase, query.phrases)),
        excluded_phrases=tuple(map(phrase, query.excluded_phrases)),
        problems=problems,
    )


def _implied(query: Query) -> Tokens:
    values = ((name, query.values_of(name)) for name in _IMPLYING)
    alone = (_whole_in(name, wanted[0]) for name, wanted in values if len(wanted) == 1)
    return query_tokens(" ".join(alone))


def implied_tokens(name: str, value: str) -> Tokens:
    """Return tokens that every row holds which a filter of one value lets pass; none where nothing is known of them."""
    return query_tokens(_whole_in(name, value)) if name in _IMPLYING else ()


def _whole_in(name: str, value: str) -> str:
    """Return what of a filter's value stands whole in what it finds: all of it, unless there are wildcards in it."""
    if not has_wildcard(value):
        return value
    return " ".join(_WHOLE_IN_PATH.findall(value)) if name == "path" else ""


def _telling(tokens: Tokens) -> Tokens:
    return tuple(token for token in tokens if token not in STOP_WORDS) or tokens
