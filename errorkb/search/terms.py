"""Search: the tokens that a query asks for: those that a result needs, those that it must not have, and phrases."""

from dataclasses import dataclass

from errorkb.core.queries import Query
from errorkb.core.tokens import STOP_WORDS, Phrase, part_tokens, phrase, query_tokens, whole_tokens
from errorkb.search.backends.base import Tokens

# A query of MAX_QUERY_LENGTH characters may have more, all of one or two letters.
MAX_TERMS = 256


@dataclass(frozen=True, slots=True)
class Terms:
    """What is looked for.

    `required`: tokens that every full result holds, in the query's order; `by_parts`: the same with each name taken
    apart, `whole`: with joined names left whole. `excluded`: groups of which no result holds all.
    """

    required: Tokens = ()
    by_parts: Tokens = ()
    whole: Tokens = ()
    excluded: tuple[Tokens, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    excluded_phrases: tuple[Phrase, ...] = ()
    problems: tuple[str, ...] = ()


NOTHING = Terms()


def terms_of(query: Query) -> Terms:
    """Return the tokens that `query` asks for. Common words are asked for only where there are no others."""
    text = " ".join((*query.words, *query.phrases))
    tokens = query_tokens(text)
    required = _telling(tokens)
    problems = (f"Only the first {MAX_TERMS} words were searched for.",) if len(required) > MAX_TERMS else ()
    return Terms(
        required=required[:MAX_TERMS],
        by_parts=_telling(part_tokens(text))[:MAX_TERMS],
        whole=whole_tokens(text)[:MAX_TERMS],
        excluded=tuple(query_tokens(word) for word in query.excluded_words),
        phrases=tuple(map(phrase, query.phrases)),
        excluded_phrases=tuple(map(phrase, query.excluded_phrases)),
        problems=problems,
    )


def _telling(tokens: Tokens) -> Tokens:
    return tuple(token for token in tokens if token not in STOP_WORDS) or tokens
