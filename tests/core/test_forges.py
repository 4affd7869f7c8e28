import pytest

from errorkb.core.forges import repository_links, web_address

COMMIT = "0132848349"


@pytest.mark.parametrize(
    ("name", "details", "pin", "address"),
    [
        ("sgl-project/sglang", {}, COMMIT, "https://github.com/sgl-project/sglang/blob/0132848349/a/b%20c.py#L136"),
        ("o/n", {}, "v1.0", "https://github.com/o/n/blob/v1.0/a/b%20c.py#L136"),
        ("gitlab.com/g/s/n", {}, COMMIT, "https://gitlab.com/g/s/n/-/blob/0132848349/a/b%20c.py#L136"),
        ("codeberg.org/o/n", {}, COMMIT, "https://codeberg.org/o/n/src/commit/0132848349/a/b%20c.py#L136"),
        ("codeberg.org/o/n", {}, "v1.0", "https://codeberg.org/o/n/src/tag/v1.0/a/b%20c.py#L136"),
        ("bitbucket.org/o/n", {}, COMMIT, "https://bitbucket.org/o/n/src/0132848349/a/b%20c.py#lines-136"),
        ("o/n", {"forge": "gitlab"}, COMMIT, "https://gitlab.com/o/n/-/blob/0132848349/a/b%20c.py#L136"),
        (
            "o/n",
            {"forge": "gitlab", "url": "https://git.example.org/x/n.git"},
            COMMIT,
            "https://git.example.org/x/n/-/blob/0132848349/a/b%20c.py#L136",
        ),
        ("o/n", {"url": "javascript:alert(1)"}, COMMIT, "https://github.com/o/n/blob/0132848349/a/b%20c.py#L136"),
    ],
)
def test_links_a_line_at_its_pin(name, details, pin, address):
    assert repository_links(name, **details).blob("a/b c.py", pin, line=136) == address


@pytest.mark.parametrize(
    ("name", "fragment"), [("o/n", "#L3-L5"), ("gitlab.com/o/n", "#L3-5"), ("bitbucket.org/o/n", "#lines-3:5")]
)
def test_links_a_range_of_lines(name, fragment):
    assert repository_links(name).blob("a.py", COMMIT, line=3, end_line=5).endswith("a.py" + fragment)


def test_links_nothing_on_an_unknown_forge():
    assert repository_links("git.example.org/o/n") is None
    assert repository_links("o/n", url="https://git.example.org/o/n") is None


def test_paths_cannot_leave_the_repository():
    assert repository_links("o/n").blob("../../x/./y#z?q", "v1") == "https://github.com/o/n/blob/v1/x/y%23z%3Fq"


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://example.org/a?b#c", True),
        ("HTTP://example.org", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.org", False),
        ("https://user@example.org", False),
        ("https://", False),
        ("https://exa mple.org", False),
        ('https://example.org/"onclick=', False),
        ("https://example.org/\u202egnp", False),
        ("https://[::1", False),
        ("", False),
        (None, False),
    ],
)
def test_tells_addresses_that_a_browser_may_follow(url, safe):
    assert web_address(url) == (url if safe else None)
