"""Search: which message a pasted text is, values and all: its template's literal words stand in the text, in order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from errorkb.core.message_templates import Part, TemplateError, parse_message, parse_template
from errorkb.core.tokens import STOP_WORDS, word_sequence

# In the title column, what stands before each template and between its literal parts; neither is in any token.
TEMPLATE_SIGN = " | "
PART_SIGN = " , "

# So many characters of a template are enough to know it by.
_MOST_CHARACTERS = 2000
_PIECE = re.compile(r"\w+")
# Beyond so many texts nobody reads on: an entry has a handful of wordings.
_MOST_WORDINGS = 20
# Fewer telling words are enough only where they are a third of what was pasted, and others where they are half of it;
# of a template that breaks off, only so many where its whole parts are more than half of it.
_TELLING = 3
_TELLING_OF_BEGINNING = 2
_LEAST_SHARE = 3
_LEAST_SHARE_OF_COMMON = 2


def template_tokens(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the literal words of each of an entry's messages: parts by PART_SIGN, tokens by spaces."""
    style = document.get("placeholders")
    wordings = document.get("wordings")
    messages = [document, *(wordings[:_MOST_WORDINGS] if isinstance(wordings, list) else ())]
    found = (_literals(message, style) for message in messages if isinstance(message, Mapping))
    yield from dict.fromkeys(text for text in found if text)


def _literals(message: Mapping[str, Any], style: Any) -> str:
    template, text = message.get("template"), message.get("message")
    try:
        if isinstance(template, str) and template:
            parts = parse_template(template)
        else:
            parts = parse_message(text, style if isinstance(style, str) else None) if isinstance(text, str) else ()
    except (TemplateError, KeyError):
        return ""
    return PART_SIGN.join(" ".join(words) for words in _words(parts) if words)


def _words(parts: Sequence[Part]) -> Iterator[tuple[str, ...]]:
    """Yield the words of each run of literal parts, but for pieces of words that a value stands close to."""
    run, after_slot, length = "", False, 0
    for part in (*parts, Part("", slot="")):
        if part.slot is None:
            run += part.text
            continue
        yield word_sequence(_without_pieces(run[:_MOST_CHARACTERS], at_start=after_slot, at_end=bool(part.source)))
        length += len(run)
        if length > _MOST_CHARACTERS:
            return
        run, after_slot = "", True


def _without_pieces(text: str, *, at_start: bool, at_end: bool) -> str:
    start = _piece_length(text) if at_start else 0
    return text[start : len(text) - _piece_length(text[::-1])] if at_end else text[start:]


def _piece_length(text: str) -> int:
    found = _PIECE.match(text)
    return found.end() if found else 0


def split_title(title: str) -> tuple[str, list[str]]:
    """Return the distinct tokens of a title column, and the templates in it, their parts still joined."""
    tokens, *templates = title.split(TEMPLATE_SIGN)
    return tokens, templates


@dataclass(frozen=True)
class Pasted:
    """What was asked for as one text: its `words` in order, as often as they occur, and how many names there are."""

    words: tuple[str, ...]
    names: int

    @cached_property
    def text(self) -> str:
        return f" {' '.join(self.words)} "

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.words))

    def fit(self, exception_type: str, templates: Iterable[str]) -> int:
        """Return how many words of the best of an entry's templates the text has; 0 where it has not all of them.

        All literal parts must occur, in their order; the text may break off within the last of them that it has.
        Templates are as they stand in a title column.
        """
        found = [words for one in templates if self._may_begin(one) and (words := self._found(one.split(PART_SIGN)))]
        if not found:
            return 0
        kind = last_name(exception_type)
        told = [kind] if kind and f" {kind} " in self.text else []
        return max(self._worth([*told, *words]) for words in found)

    def _may_begin(self, template: str) -> bool:
        """Return whether the text has the first word, or ends within it: most templates are told apart so."""
        first = template.partition(" ")[0]
        return first in self._held or (bool(self.words) and first.startswith(self.words[-1]))

    @cached_property
    def _held(self) -> frozenset[str]:
        return frozenset(self.words)

    def _worth(self, words: Sequence[str]) -> int:
        if len(words) < 2:
            return 0
        telling = _telling(words)
        share = _LEAST_SHARE if telling else _LEAST_SHARE_OF_COMMON
        return len(words) if telling >= _TELLING or len(words) * share >= self.names else 0

    def _found(self, parts: Sequence[str]) -> list[str]:
        """Return the words of all parts; those before the place where the text breaks off; or none."""
        found: list[str] = []
        position = 0
        for part in parts:
            place = self.text.find(f" {part} ", position)
            if place < 0:
                enough = _TELLING_OF_BEGINNING if len(found) * 2 > len(self.words) else _TELLING
                found += self._tail(part, position)
                return found if _telling(found) >= enough else []
            found += part.split()
            position = place + len(part) + 1
        return found

    def _tail(self, part: str, position: int) -> list[str]:
        """Return the words at the end of the text with which a part begins; the text may end within a word."""
        rest, words = self.text[position:].split(), part.split()
        for length in range(min(len(rest), len(words)), 0, -1):
            *before, last = rest[-length:]
            if before == words[: length - 1] and words[length - 1].startswith(last):
                return words[:length]
        return []


def _telling(words: Sequence[str]) -> int:
    return sum(word not in STOP_WORDS for word in words)


NOTHING_PASTED = Pasted((), 0)


@lru_cache(maxsize=1 << 12)
def last_name(exception_type: str) -> str:
    """Return the token by which an exception type is known without its module; empty for none."""
    words = word_sequence(exception_type)
    return words[-1] if words else ""
