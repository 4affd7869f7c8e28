"""Core: the words that search goes by, folded and split in one way, the same for every database."""

from errorkb.core.tokens.folding import fold
from errorkb.core.tokens.indexing import (
    STOP_WORDS,
    IndexTokens,
    index_tokens,
    part_tokens,
    query_tokens,
    whole_tokens,
    word_sequence,
)
from errorkb.core.tokens.phrases import Phrase, comparable, phrase
from errorkb.core.tokens.splitting import MAX_TOKEN_LENGTH, Token, tokenize

__all__ = [
    "MAX_TOKEN_LENGTH",
    "STOP_WORDS",
    "IndexTokens",
    "Phrase",
    "Token",
    "comparable",
    "fold",
    "index_tokens",
    "part_tokens",
    "phrase",
    "query_tokens",
    "tokenize",
    "whole_tokens",
    "word_sequence",
]
