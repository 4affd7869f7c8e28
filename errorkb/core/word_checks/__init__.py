"""Core: names that an entry's words speak of, and which of them its source does not have.

`names_in_words` reads prose and examples, `words_of` the files of a tree, `missing_names` compares. Whatever may be
the name of something else than the source's own is left out: nothing said is better than something wrong.
"""

from errorkb.core.word_checks.documents import names_in_words
from errorkb.core.word_checks.names import Name
from errorkb.core.word_checks.vocabularies import TooManyWordsError, Vocabulary, VocabularyBuilder, missing_names

__all__ = ["Name", "TooManyWordsError", "Vocabulary", "VocabularyBuilder", "missing_names", "names_in_words"]
