import pytest

from errorkb.core.identity import Site, entry_title, mint_id, module_of

SITE = Site("error", "ValueError", "bad {0}", "f")


def test_mints_the_same_id_wherever_it_is_minted():
    # sha256('["a/b","error","ValueError","bad {0}","f","0"]'), its first 16 digits
    assert mint_id("a/b", SITE, 0) == mint_id("A/B", SITE, 0) == "10b83f3d4b9cc211"


def test_every_part_of_the_fingerprint_counts():
    others = [
        mint_id("a/c", SITE, 0),
        mint_id("a/b", Site("log", "ValueError", "bad {0}", "f"), 0),
        mint_id("a/b", Site("error", "TypeError", "bad {0}", "f"), 0),
        mint_id("a/b", Site("error", "ValueError", "bad {1}", "f"), 0),
        mint_id("a/b", Site("error", "ValueError", "bad {0}", "g"), 0),
        mint_id("a/b", SITE, 1),
    ]
    assert len({*others, mint_id("a/b", SITE, 0)}) == 7


@pytest.mark.parametrize(
    ("exception_type", "message", "symbol", "title"),
    [
        ("NotImplementedError", "no %s", "f", "NotImplementedError: no %s"),
        ("", "no", "f", "no"),
        ("AssertionError", "", "Join._join_condition", "AssertionError in Join._join_condition"),
        ("AssertionError", "", "", "AssertionError"),
        ("", "", "", "Error"),
    ],
)
def test_titles(exception_type, message, symbol, title):
    assert entry_title(exception_type, message, symbol) == title


@pytest.mark.parametrize(("path", "module"), [("a/b/conn.py", "a/b"), ("conn.py", ""), ("", "")])
def test_modules(path, module):
    assert module_of(path) == module
