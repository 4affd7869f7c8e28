"""Which release comes after which."""

from datetime import UTC, datetime

import pytest

from errorkb.core.releases.order import Ordered, comes_before, in_release_order


def day(number: int) -> datetime:
    return datetime(2026, 8, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("releases", "order"),
    [
        pytest.param(
            [Ordered("2.0", "2.0"), Ordered("1.10", "1.10"), Ordered("2.0rc1", "2.0rc1"), Ordered("1.9", "1.9")],
            ["1.9", "1.10", "2.0rc1", "2.0"],
            id="by version",
        ),
        pytest.param(
            [
                Ordered("1.0", "1.0", (), day(1)),
                Ordered("2.0", "2.0", ("1.0",), day(2)),
                Ordered("1.1", "1.1", ("1.0",), day(9)),
            ],
            ["1.0", "1.1", "2.0"],
            id="a backport that was tagged last",
        ),
        pytest.param(
            [
                Ordered("spring", "", (), day(5)),
                Ordered("summer", "", ("spring",), day(1)),
                Ordered("autumn", "", ("summer",), day(3)),
            ],
            ["spring", "summer", "autumn"],
            id="without versions by history, whatever the dates",
        ),
        pytest.param(
            [
                Ordered("1.0", "1.0", (), day(1)),
                Ordered("nightly", "", ("1.0",), day(9)),
                Ordered("2.0", "2.0", ("nightly",), day(2)),
            ],
            ["1.0", "nightly", "2.0"],
            id="behind its ancestor, before its descendant",
        ),
        pytest.param(
            [
                Ordered("first", "", (), day(9)),
                Ordered("2.0", "2.0", ("first",), day(2)),
                Ordered("1.0", "1.0", (), day(1)),
            ],
            ["1.0", "first", "2.0"],
            id="before its descendant, if it has no ancestor",
        ),
        pytest.param(
            [Ordered("1.0", "1.0", (), day(1)), Ordered("abc", "", (), day(2)), Ordered("2.0", "2.0", (), day(3))],
            ["1.0", "abc", "2.0"],
            id="without relatives by date",
        ),
        pytest.param(
            [
                Ordered("1.0", "1.0", (), None, day(1)),
                Ordered("2.0", "2.0", (), None, day(2)),
                Ordered("abc", "", (), day(1), day(3)),
            ],
            ["1.0", "2.0", "abc"],
            id="without dates by when they were seen",
        ),
        pytest.param(
            [Ordered("a", "", ("b",)), Ordered("b", "", ("a",)), Ordered("c", "", ("b", "unknown"))],
            ["b", "a", "c"],
            id="what runs in a circle ends",
        ),
        pytest.param([], [], id="none"),
    ],
)
def test_orders_releases_from_the_oldest_to_the_newest(releases, order):
    assert in_release_order(releases) == order
    assert in_release_order(releases[::-1]) == order or "a" in order


def test_compares_versions_only():
    assert comes_before("1.9", "1.10")
    assert not comes_before("1.10", "1.10.0")
    assert not comes_before("nightly", "1.0")


def test_orders_a_long_history_quickly():
    chain = [Ordered(n, "", (n - 1,) if n else ()) for n in range(5000)]
    assert in_release_order(chain[::-1]) == list(range(5000))
