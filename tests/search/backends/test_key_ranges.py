"""Search: ranges of primary keys leave out no key, and none is in two of them."""

import pytest

from errorkb.search.backends.key_ranges import KEY_RANGES


@pytest.mark.parametrize(
    ("key", "condition"),
    [
        (0, "(id < 16384)"),
        (16_383, "(id < 16384)"),
        (16_384, "((id >= 16384) AND (id < 65536))"),
        (65_536, "((id >= 65536) AND (id < 131072))"),
        (262_143, "((id >= 131072) AND (id < 262144))"),
        (262_144, "((id >= 262144) AND (id < 524288))"),
        (1_048_575, "((id >= 524288) AND (id < 1048576))"),
        (1_048_576, "(id >= 1048576)"),
        (1 << 62, "(id >= 1048576)"),
    ],
)
def test_each_key_is_in_one_range(key: int, condition: str) -> None:
    holding = [one for one in KEY_RANGES if (one.start or 0) <= key and (one.end is None or key < one.end)]
    assert [one.condition("id") for one in holding] == [condition]
