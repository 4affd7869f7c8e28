import pytest

from errorkb.core.assignment import Place, assign


def places(*spots):
    return [Place(*spot) for spot in spots]


@pytest.mark.parametrize(
    ("offered", "stored", "expected"),
    [
        # the very same place
        (places(("a.py", 10, "v1")), places(("a.py", 10, "v1")), [0]),
        (places(("a.py", 10, "v2")), places(("a.py", 10, "v1")), [0]),
        # two lines of one pin are twins
        (places(("a.py", 20, "v1")), places(("a.py", 10, "v1")), [None]),
        # moved between pins
        (places(("a.py", 20, "v2")), places(("a.py", 10, "v1")), [0]),
        # twins moved together keep their order, though the first is nearer to the second's old line
        (places(("a.py", 18, "v2"), ("a.py", 28, "v2")), places(("a.py", 10, "v1"), ("a.py", 20, "v1")), [0, 1]),
        (places(("a.py", 28, "v2"), ("a.py", 18, "v2")), places(("a.py", 10, "v1"), ("a.py", 20, "v1")), [1, 0]),
        # one of three twins offered: the nearest
        (places(("a.py", 21, "v2")), places(("a.py", 10, "v1"), ("a.py", 20, "v1"), ("a.py", 30, "v1")), [1]),
        # more offered than stored: the rest is new
        (places(("a.py", 11, "v2"), ("a.py", 50, "v2")), places(("a.py", 10, "v1")), [0, None]),
        # a place that says less meets one that says more
        (places(("", None, "")), places(("a.py", 10, "v1")), [0]),
        (places(("a.py", 10, "v1")), places(("", None, "")), [0]),
        (places(("a.py", None, "")), places(("a.py", 10, "v1")), [0]),
        # another file of the same pin is another site; the same name in another folder of another pin has moved
        (places(("b/a.py", 10, "v1")), places(("c/a.py", 10, "v1")), [None]),
        (places(("b/a.py", 10, "v2")), places(("c/a.py", 10, "v1")), [0]),
        (places(("b/x.py", 10, "v2")), places(("c/a.py", 10, "v1")), [None]),
        ([], places(("a.py", 1, "")), []),
        (places(("a.py", 1, "")), [], [None]),
    ],
)
def test_meets_the_same_site_again(offered, stored, expected):
    assert assign(offered, stored) == expected


def test_a_file_without_pins_is_taken_as_it_stands():
    assert assign(places(("a.py", 12, "")), places(("a.py", 10, ""))) == [None]
