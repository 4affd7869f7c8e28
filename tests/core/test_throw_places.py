"""Whether a frame of a traceback and a throw site of a repository are one place."""

import pytest

from errorkb.core.throw_places import Nearness, ThrowPlace, Trace, frame_key, path_parts, same_file
from errorkb.core.tracebacks import Frame

POOL = ThrowPlace("lib/sqlalchemy/pool/impl.py", 168, "QueuePool._do_get")

KEYS = [
    ("lib/sqlalchemy/pool/impl.py", "QueuePool._do_get", "pool/impl.py:doget"),
    ("/venv/sqlalchemy/pool/impl.py", "_do_get", "pool/impl.py:doget"),
    (r"C:\env\Lib\site-packages\sqlalchemy\pool\impl.py", "_do_get", "pool/impl.py:doget"),
    ("django/core/management/__init__.py", "execute.<locals>.inner", "management/init.py:inner"),
    ("django/core/management/init.py", "inner", "management/init.py:inner"),
    ("setup.py", "<module>", "setup.py:"),
    ("setup.py", "", "setup.py:"),
    ("", "f", ""),
]

FILES = [
    ("/usr/lib/python3/site-packages/sqlalchemy/pool/impl.py", "lib/sqlalchemy/pool/impl.py", True),
    (".../site-packages/networkx/classes/digraph.py", "networkx/classes/digraph.py", True),
    ("pool/impl.py", "lib/sqlalchemy/pool/impl.py", True),
    ("/srv/app/impl.py", "lib/sqlalchemy/pool/impl.py", False),
    ("/srv/other/pool/impl.py", "lib/sqlalchemy/pool/impl.py", True),
    ("/srv/other/pool/impl.py", "src/sqlalchemy/orm/deep/pool/impl.py", False),
    ("models.py", "src/requests/models.py", False),
    ("adapters.py", "src/requests/adapters.py", True),
    ("", "src/requests/adapters.py", False),
]

FRAMES = [
    ([Frame("/v/sqlalchemy/pool/impl.py", 167, "_do_get")], Nearness.FUNCTION, True, 1),
    ([Frame("/v/sqlalchemy/pool/impl.py", 167, "AsyncAdaptedQueuePool._do_get")], Nearness.FUNCTION, True, 1),
    ([Frame("/v/sqlalchemy/pool/impl.py", 10, "connect")], Nearness.FILE, True, 158),
    ([Frame("/v/sqlalchemy/pool/impl.py", 168, "_do_get"), Frame("/v/x.py", 1, "f")], Nearness.FUNCTION, False, 0),
    ([Frame("/v/app.py", 1, "_do_get")], Nearness.ELSEWHERE, False, None),
    ([Frame("/v/sqlalchemy/pool/impl.py", None, "_do_get")], Nearness.FUNCTION, True, None),
    ([], Nearness.ELSEWHERE, False, None),
]


@pytest.mark.parametrize(("path", "symbol", "key"), KEYS)
def test_gives_a_site_and_its_frame_one_key(path: str, symbol: str, key: str) -> None:
    assert frame_key(path, symbol) == key


@pytest.mark.parametrize(("pasted", "known", "same"), FILES)
def test_tells_files_by_the_ends_of_their_paths(pasted: str, known: str, same: bool) -> None:
    assert same_file(path_parts(pasted), path_parts(known)) is same


@pytest.mark.parametrize(("frames", "nearness", "innermost", "off"), FRAMES)
def test_finds_the_frame_nearest_to_a_site(
    frames: list[Frame], nearness: Nearness, innermost: bool, off: int | None
) -> None:
    found = Trace(frames).evidence(POOL)
    assert (found.nearness, found.is_innermost, found.lines_off) == (nearness, innermost, off)
