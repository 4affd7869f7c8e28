"""Releases for tests: three of one repository, in which errors come, change their words, move and go."""

from tests.scans import store, throw

STAYS = throw("it stays", 5, "src/a/one.py", "stays")
PLACES = {"from": "v1.0", "to": "v2.0"}


def store_releases(repository: str = "o/n") -> None:
    """Scan v1.0, v1.5 and v2.0.

    From v1.0 to v2.0 one error comes (in v1.5), two are reworded, one moves, one goes, and
    one only stands on another line.
    """
    store(
        "v1.0",
        STAYS,
        throw("bad %s", 10, "src/a/one.py", "f"),
        throw("worse %s thing", 20, "src/a/one.py", "g"),
        throw("it moves", 30, "src/a/one.py", "h"),
        throw("it goes", 40, "src/b/two.py", "k"),
        repository=repository,
    )
    later = (
        throw("it stays", 7, "src/a/one.py", "stays"),
        throw("bad value %s", 12, "src/a/one.py", "f"),
        throw("worse %s thing indeed", 20, "src/a/one.py", "g"),
        throw("it moves", 30, "src/c/three.py", "h"),
        throw("it comes", 3, "src/b/two.py", "m"),
    )
    store("v1.5", *later, repository=repository, remove=True)
    store("v2.0", *later, repository=repository)
