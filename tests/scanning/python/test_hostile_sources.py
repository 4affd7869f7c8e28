"""Sources that no scan may stumble over: broken, huge, nested, or made to take for ever."""

# ruff: noqa: E501  (a row holds a whole source)

import gc
import time

import pytest

from errorkb.scanning.python import extract, link, may_hold_site
from errorkb.scanning.python.sources import MOST_BYTES

UNREADABLE = [
    (b"raise ValueError('x'", 1, "does not parse"),
    (b"x = 1\nprint 'raise'\n", 2, "does not parse"),
    (b"raise ValueError('\xff')", 0, "cannot be decoded"),
    ("raise ValueError('ä')".encode("utf-16"), 0, "cannot be decoded"),
    (b"# coding: no-such-codec\nraise E", 0, "cannot be decoded"),
    (b"# coding: rot13\nraise E", 0, "cannot be decoded"),
    (b"raise E\0", 0, "does not parse"),
    (b"raise E # " + b"x" * MOST_BYTES, 0, "more than 1,000,000"),
    (b"raise E(" + b"(" * 100_000 + b")" * 100_001, 1, "does not parse"),
    (b"raise E(" + b"-" * 200_000 + b"1)", 0, "nested too deeply"),
    (b"raise E(" + b"x+" * 200_000 + b"1)", 0, "nested too deeply"),
    (b"raise E(x" + b".y" * 200_000 + b")", 0, "nested too deeply"),
    (b"raise E(f'" + b"{x}" * 30_000 + b"')", 1, "more than 20,000 fields"),
    (b"if x: pass\n" + b"elif x: pass\n" * 60_000, 0, "nested too deeply"),
]


@pytest.mark.parametrize(("blob", "line", "text"), UNREADABLE)
def test_reports_what_it_cannot_read(blob, line, text):
    facts = extract(blob, "a.py")
    assert facts.sites == ()
    assert facts.problem is not None
    assert (facts.problem.path, facts.problem.line) == ("a.py", line)
    assert text in facts.problem.text
    assert list(link([facts])) == []


@pytest.mark.parametrize(
    "blob",
    [
        "# coding: latin-1\nraise E('ä')".encode("latin-1"),
        "# -*- coding: cp1252 -*-\nraise E('ä')".encode("cp1252"),
        b"\xef\xbb\xbf" + "raise E('ä')".encode(),
        "raise E('ä')".encode(),
    ],
)
def test_reads_the_encodings_that_python_reads(blob):
    (site,) = link([extract(blob, "a.py")])
    assert site.wordings[0].template == "ä"


def chain(count: int) -> str:
    return "".join(f"    a{n} = a{n + 1} + a{n + 1}\n" for n in reversed(range(count)))


RECURSIVE = """
def name(t):
    if t.a: return "Optional[%s]" % name(t.x)
    if t.b: return "Union[" + name(t.x) + name(t.y) + "]"
    if t.c: return "%s[%s, %s]" % (name(t.p), name(t.q), name(t.r))
    return name(name(t.s)) + name(name(t.z), name(t.u))
def fail(m):
    raise E(m)
fail("bad " + name(name(t)))
"""
LONG = {
    "30,000 raises": "def f(x):\n" + "    if x: raise E(x, 'text')\n" * 30_000,
    "45,000 returns before": "def f(x):\n" + "    if x: return\n" * 45_000 + "    raise E(f'{x} text')\n",
    "one local, many branches": "def f(x):\n" + "    if x: m = 'a'\n" * 45_000 + "    raise E(m)\n",
    "one local, many raises": "def f(x):\n" + "    if x: m = 'a'\n    if x: raise E(m)\n" * 20_000,
    "doubling locals": "def f(x):\n    a60 = 'a'\n" + chain(60) + "    raise E(a0)\n",
    "one huge literal": "raise E('" + "x" * 900_000 + "')",
    "one huge f-string": "raise E(f'" + "{x} {y.z}" * 9_000 + "')",
    "one huge call": "raise E(" + "'a', " * 150_000 + ")",
    "one huge list": "raise E('a', [" + "x, " * 300_000 + "])",
    "one huge mapping": "M = {" + "".join(f"'k{n}': 't{n}', " for n in range(40_000)) + "}\nraise E(M[x])",
    "many long lines": "x = 1\n" + ("raise E('" + "y" * 400 + "')\n") * 2000,
    "deep blocks": "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "raise E('a')\n",
    "words without calls": "x = '" + "error" * 150_000 + "'\nraise E",
    "many helpers": "def fail(m):\n    raise E(m)\n" + "fail('text')\n" * 60_000,
    "many classes in a row": "class E0(Exception): pass\n" + "".join(f"class E{n + 1}(E{n}): pass\n" for n in range(20_000)) + "raise E20000('a')\n",
    "a function that calls itself in many ways": RECURSIVE,
    "many stars": "from .a import *\n" * 20_000 + "raise E('a')\n" * 200,
    "many elifs": "def f(x):\n    if x: pass\n" + "".join(f"    elif x == {n}: raise E('a')\n" for n in range(900)),
    "blanks": "raise E('a'" + " " * 900_000 + ")",
    "many blanks before a bracket": "raise E\nerror" + " \\\n" * 200_000 + "()\n",
}  # fmt: skip


@pytest.mark.parametrize("source", LONG.values(), ids=LONG.keys())
def test_takes_no_longer_than_the_source_is_long(source):
    blob = source.encode()
    assert len(blob) <= MOST_BYTES
    start = time.process_time()
    assert may_hold_site(blob)
    sites = list(link([extract(blob, "a.py")]))
    assert sites
    assert max(len(site.wordings) for site in sites) <= 16
    assert max(len(site.conditions) for site in sites) <= 12
    assert time.process_time() - start < 15


def test_leaves_no_circles_behind():
    blob = b"def f(x):\n    if x:\n        m = f'a {x}'\n    else:\n        m = 'b'\n    raise E(m)\n" * 50
    gc.collect()
    gc.disable()
    try:
        extract(blob, "a.py")
        assert gc.collect() < 50
    finally:
        gc.enable()


MAY_HOLD = [
    (b"raise E", True),
    (b"    assert x", True),
    (b"log.error (x)", True),
    (b"sys.exit(1)", True),
    (b"Error('x', id='a.E001')", True),
    (b"class OddError(Base): pass", True),
    (b"BAD_MSG = 'x'", True),
    (b"x = 1\nprint(x)\n", False),
    (b"", False),
]


@pytest.mark.parametrize(("blob", "expected"), MAY_HOLD)
def test_tells_files_that_need_no_parsing(blob, expected):
    assert may_hold_site(blob) is expected
