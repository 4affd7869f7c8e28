"""Tags of git repositories: which there are, and which came from which."""

import pytest

from errorkb.scanning.tags import TaggedRepository
from errorkb.scanning.trees import TreeError
from tests.repositories import Repository
from tests.scanning.trees import contents


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Repository:
    """Return a repository with a branch of repairs that got its tag last, a merge, and odd tags."""
    shop = Repository(tmp_path_factory.mktemp("tags") / "shop")
    shop.commit("shop/a.py", "a = 1\n", tag="v1.0")
    shop.git("branch", "old")
    shop.commit("shop/a.py", "a = 2\n")
    shop.commit("shop/b.py", "b = 2\n", tag="v2.0")
    shop.git("tag", "stable", "v2.0")
    shop.git("tag", "--annotate", "--message", "a tag of a tag", "v2.0-signed", "v2.0")
    shop.git("checkout", "--quiet", "old")
    shop.commit("shop/c.py", "c = 1\n", tag="v1.0.1")
    shop.git("checkout", "--quiet", "main")
    shop.git("merge", "--quiet", "--no-ff", "--message", "Merge old", "old")
    shop.commit("shop/d.py", "d = 3\n", tag="v3.0")
    shop.git("tag", "tree", "HEAD^{tree}")
    shop.git("tag", "blob", "HEAD:shop/a.py")
    return shop


def parents(shop: Repository, *patterns: str, known: tuple[str, ...] = ()) -> dict[str, set[str]]:
    return {tag.name: set(tag.parents) for tag in TaggedRepository(str(shop.folder)).find_tags(patterns, known).every}


def test_tells_the_nearest_tags_that_each_came_from(shop):
    assert parents(shop, "v?.0", "v1.0.1") == {
        "v1.0": set(),
        "v2.0": {"v1.0"},
        "v1.0.1": {"v1.0"},
        "v3.0": {"v2.0", "v1.0.1"},
    }


def test_passes_over_tags_that_nobody_asked_about(shop):
    assert parents(shop, "v1.0", "v3.0") == {"v1.0": set(), "v3.0": {"v1.0"}}
    assert parents(shop, "v1.0", "v3.0", known=("v2.0", "gone")) == {
        "v1.0": set(),
        "v2.0": {"v1.0"},
        "v3.0": {"v2.0"},
    }
    found = TaggedRepository(str(shop.folder)).find_tags(["v3.0"], {"v2.0"})
    assert [tag.name for tag in found.matching] == ["v3.0"]


def test_tags_of_one_commit_have_the_same_parents(shop):
    assert parents(shop, "v1.0", "v2.0", "stable", "v3.0") == {
        "v1.0": set(),
        "v2.0": {"v1.0"},
        "stable": {"v1.0"},
        "v3.0": {"v2.0", "stable"},
    }


def test_ancestors_come_first(shop):
    names = [tag.name for tag in TaggedRepository(str(shop.folder)).find_tags(["v*"]).every]
    assert names.index("v1.0") == 0
    assert names[-1] == "v3.0"


def test_follows_tags_to_their_commits(shop):
    found = {tag.name: tag for tag in TaggedRepository(str(shop.folder)).find_tags(["v2.0*", "stable"]).every}
    assert {tag.commit for tag in found.values()} == {shop.git("rev-parse", "v2.0^{commit}")}
    assert found["stable"].date.endswith("Z")


def test_names_tags_that_lead_to_no_commit(shop):
    problems = TaggedRepository(str(shop.folder)).find_tags(["*"]).problems
    assert [(problem.path, problem.text) for problem in problems] == [
        ("tag blob", "it leads to a blob, not to a commit"),
        ("tag tree", "it leads to a tree, not to a commit"),
    ]


@pytest.mark.parametrize(
    ("patterns", "text"),
    [
        (["v9"], "shop has no tag 'v9': it has 8, such as v1.0, v1.0.1, v2.0, v2.0-signed, v3.0."),
        (["v1.0", "w*"], "No tag of shop matches 'w*': it has 8, such as"),
        (["tree"], "The tag tree of shop cannot be scanned: it leads to a tree, not to a commit."),
        (["--all"], "shop has no tag '--all'"),
        (["\0"], "shop has no tag '\\x00'"),
    ],
)
def test_refuses_what_leads_nowhere(shop, patterns, text):
    with pytest.raises(TreeError) as refused:
        TaggedRepository(str(shop.folder)).find_tags(patterns)
    assert str(refused.value).startswith(text)


def test_reads_the_files_of_a_tag(shop):
    place = TaggedRepository(str(shop.folder / "shop"))
    (tag,) = place.find_tags(["v1.0.1"]).matching
    assert contents(place.open(tag, "shop/")) == {"a.py": "a = 1\n", "c.py": "c = 1\n"}
    assert place.prefix(None) == "shop/"
    assert place.prefix("") == ""


def test_refuses_a_folder_that_a_release_did_not_have(shop):
    (shop.folder / "other").mkdir()
    shop.commit("other/e.py", "e = 1\n")
    place = TaggedRepository(str(shop.folder / "other"))
    (tag,) = place.find_tags(["v1.0"]).matching
    with pytest.raises(TreeError, match=r"other at v1\.0 has git data that git cannot read"):
        place.open(tag, "")


def test_refuses_a_plain_folder_and_a_shallow_clone(shop, tmp_path):
    (tmp_path / "plain").mkdir()
    with pytest.raises(TreeError, match="plain is not a git checkout: it has no tags"):
        TaggedRepository(str(tmp_path / "plain"))
    shop.git("clone", "--quiet", "--depth", "1", f"file://{shop.folder}", str(tmp_path / "cut"))
    with pytest.raises(TreeError, match="cut is a shallow clone"):
        TaggedRepository(str(tmp_path / "cut"))


def test_a_repository_without_tags_is_told(tmp_path):
    empty = Repository(tmp_path / "empty")
    empty.commit("a.py", "a = 1\n")
    with pytest.raises(TreeError, match=r"No tag of empty matches 'v\*': it has no tags at all\."):
        TaggedRepository(str(empty.folder)).find_tags(["v*"])


def test_tells_which_release_a_commit_came_from(shop):
    place = TaggedRepository(str(shop.folder))
    between = shop.git("rev-parse", "v2.0~1")
    tags, follows = place.around(between, {"v2.0", "gone"})
    assert {tag.name: tag.parents for tag in tags} == {"v1.0": (), "v2.0": ("v1.0",)}
    assert follows == ("v1.0",)
    before = shop.git("commit-tree", "-m", "no parents", "v1.0^{tree}")
    assert place.around(before, set()) == ((), ())
