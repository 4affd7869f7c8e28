"""Core: whether a text holds a phrase word for word and sign for sign, however its dashes and quotes are spelled."""

import re
from dataclasses import dataclass

from errorkb.core.tokens.folding import fold
from errorkb.core.tokens.splitting import is_name_letter

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as it is looked for: folded, blanks made one, and whether each of its ends must be the end of a word."""

    text: str
    opens_word: bool
    closes_word: bool

    def is_in(self, comparable_text: str) -> bool:
        """Return whether a text, as `comparable` makes it, holds the phrase. `_` ends a word."""
        start = comparable_text.find(self.text)
        while start >= 0:
            end = start + len(self.text)
            if not (self.opens_word and is_name_letter(comparable_text[start - 1 : start])) and not (
                self.closes_word and is_name_letter(comparable_text[end : end + 1])
            ):
                return True
            start = comparable_text.find(self.text, start + 1)
        return False


def phrase(text: str) -> Phrase:
    """Return `text` as a phrase to look for."""
    folded = comparable(text)
    return Phrase(folded, is_name_letter(folded[:1]), is_name_letter(folded[-1:]))


def comparable(text: str) -> str:
    """Return a text in the form in which phrases are looked for in it."""
    return _BLANKS.sub(" ", fold(text)).strip()
