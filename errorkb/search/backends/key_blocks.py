"""Search: primary keys as lexemes, for an index that cannot be asked for the first rows: blocks within blocks.

A row has the block of each level that it is in as a lexeme, so that a few lexemes name any beginning of a table.
"""

from collections.abc import Iterator

# No token begins with it.
_SIGN = "#"
# Blocks of a level are keys that differ in so many last bits only; each holds four of the level below.
_LEVELS = (12, 14, 16, 18, 20, 22)


def block_lexemes(key: str) -> str:
    """Return a SQL expression for the lexemes, with spaces between, of a row whose primary key is the column `key`."""
    return " || ' ' || ".join(f"'{_SIGN}{bits}.' || ({key} >> {bits})" for bits in _LEVELS)


def blocks_up_to(key: int) -> Iterator[str]:
    """Yield the lexemes of the blocks that hold all keys from 0 to `key`, and few behind it; the largest ones first.

    >>> list(blocks_up_to(5 * 4096))
    ['#14.0', '#12.4', '#12.5']
    """
    end = (key >> _LEVELS[0]) + 1
    start = 0
    for bits in reversed(_LEVELS):
        shift = bits - _LEVELS[0]
        stop = end >> shift
        yield from (f"{_SIGN}{bits}.{block}" for block in range(start >> shift, stop))
        start = stop << shift
