import pytest

from errorkb.search.backends.key_blocks import blocks_up_to


@pytest.mark.parametrize(
    ("key", "lexemes"),
    [
        (0, ["#12.0"]),
        (4095, ["#12.0"]),
        (4096, ["#12.0", "#12.1"]),
        (4 * 4096 - 1, ["#14.0"]),
        (45 * 4096 - 1, ["#16.0", "#16.1", "#14.8", "#14.9", "#14.10", "#12.44"]),
        ((1 << 22) + 5, ["#22.0", "#12.1024"]),
        ((1 << 24) - 1, ["#22.0", "#22.1", "#22.2", "#22.3"]),
    ],
)
def test_names_the_blocks_of_all_keys_up_to_one(key, lexemes):
    assert list(blocks_up_to(key)) == lexemes
