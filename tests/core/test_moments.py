"""Dates and times as documents state them."""

import pytest

from errorkb.core.moments import moment_in_words


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ("2026-08-28", "2026-08-28"),
        ("2026-08-05T09:54", "2026-08-05 09:54 (zone not stated)"),
        ("2026-08-05 09:54:10", "2026-08-05 09:54:10 (zone not stated)"),
        ("2026-08-05T09:54Z", "2026-08-05 09:54 UTC"),
        ("2026-08-05T09:54:10.5+02:00", "2026-08-05 09:54:10.5 +02:00"),
        (None, ""),
        ("yesterday", "yesterday"),
    ],
)
def test_says_when_and_in_which_zone(stated, words):
    assert moment_in_words(stated) == words
