"""Tests of reading one traceback through everything that terminals, loggers, forges and mail do to a text."""

import html
import json
from collections.abc import Callable

import pytest

from errorkb.core.tracebacks import Occurrence, read_paste

PLAIN = """\
Traceback (most recent call last):
  File "/srv/shop/orders.py", line 12, in load_order
    row = table.fetch(key)
  File "/usr/lib/python3.11/site-packages/store/tables.py", line 240, in fetch
    raise RowNotFound(f"no row {key!r} in table {self.name}")
store.errors.RowNotFound: no row 'a-17' in table orders
"""
TYPE = "store.errors.RowNotFound"
MESSAGE = "no row 'a-17' in table orders"
FRAMES = [
    ("/srv/shop/orders.py", 12, "load_order", "row = table.fetch(key)"),
    (
        "/usr/lib/python3.11/site-packages/store/tables.py",
        240,
        "fetch",
        'raise RowNotFound(f"no row {key!r} in table {self.name}")',
    ),
]


def each(before: str, *, behind: str = "") -> Callable[[str], str]:
    """Return a wrapping that puts texts around each line; `{n}` is the line's number."""
    return lambda text: "\n".join(
        before.replace("{n}", f"{n:02}") + line + behind for n, line in enumerate(text.splitlines())
    )


def first(before: str) -> Callable[[str], str]:
    return lambda text: before + text


def without_indentation(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


WRAPPINGS: dict[str, Callable[[str], str]] = {
    "nothing": str,
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "blank lines between": lambda text: text.replace("\n", "\n\n"),
    "no indentation": without_indentation,
    "deeper indentation": each("        "),
    "trailing blanks": each("", behind="    "),
    "quoted by mail": each("> "),
    "quoted by mail without a blank": each(">"),
    "quoted twice": each("> > "),
    "fenced": lambda text: f"It fails with:\n\n```python\n{text}```\n\nAny idea?",
    "fence stuck to the text": lambda text: f"```{text.rstrip()}```",
    "colours": lambda text: "\n".join(f"\x1b[31m{line}\x1b[0m" for line in text.splitlines()),
    "colours without escape": lambda text: "\n".join(f"[31m{line}[0m" for line in text.splitlines()),
    "colours written out": lambda text: "\n".join(rf"\x1b[1;31m{line}\x1b[0m" for line in text.splitlines()),
    "HTML escapes": lambda text: html.escape(text),
    "source of a page": lambda text: f"<p>Error:</p>\n<pre><code>{html.escape(text)}</code></pre>",
    "bent quotes": lambda text: text.replace(' "/', " “/").replace('py"', "py”").replace("'a-17'", "‘a-17’"),
    "docker compose": each("web-1  | "),
    "docker compose with a time": each("shop_web_1    | 2026-11-03T08:10:{n}Z "),
    "docker timestamps": each("2026-11-03T08:10:{n}.123456789Z "),
    "kubectl --prefix": each("[pod/shop-7d9f/web] "),
    "container runtime": each("2026-11-03T08:10:{n}.123456789Z stderr F "),
    "journald": each("Nov 03 08:10:{n} host1 gunicorn[812]: "),
    "syslog": each("<13>Nov  3 08:10:{n} host1 shop[812]: "),
    "syslog of 2009": each("<13>1 2026-11-03T08:10:{n}.003Z host1 shop 812 ID47 - "),
    "GitHub Actions": each("2026-11-03T08:10:{n}.1234567Z "),
    "gh run view": each("build\tRun tests\t2026-11-03T08:10:{n}.1234567Z "),
    "GitLab": each("2026-11-03T08:10:{n}.123456Z 01O "),
    "heroku": each("2026-11-03T08:10:{n}.123456+00:00 app[web.1]: "),
    "a rank": each("[rank3]: "),
    "mpirun": each("[1,3]<stderr>:"),
    "a rank in the time": each("[2025-09-18 17:03:{n} DP3 TP28] "),
    "a process": each("(EngineCore_DP0 pid=15203) "),
    "a process and a record": each("(EngineCore_DP0 pid=15203) ERROR 12-16 10:02:12 [core.py:918] "),
    "ray": each("(ServeReplica:shop pid=9, ip=10.0.0.7) "),
    "a runner": each("== APP == "),
    "records of logging": each("2026-11-03 08:10:22,123 ERROR shop.orders: "),
    "records of logging with a padded level": each("2026-11-03 08:10:22,123 ERROR    [shop.orders:17] "),
    "records of a program": each("2026-11-03 08:10:22,123 - shop.orders - ERROR - "),
    "a record before": first("2026-11-03 08:10:22,123 ERROR shop: could not load it\n"),
    "a record's last words": first("[2025-09-18 17:03:40 TP0] Scheduler hit an exception: "),
    "JSON": lambda text: json.dumps({"level": "error", "exc_info": text}),
    "JSON behind a time": lambda text: "2026-11-03T08:10:22Z " + json.dumps({"msg": "failed", "stack": text}),
    "JSON behind a container": lambda text: "web-1  | " + json.dumps({"msg": "failed", "stack": text}),
    "JSON over lines": lambda text: json.dumps({"level": "error", "exc_info": text, "size": 3}, indent=2),
    "JSON in JSON": lambda text: json.dumps({"log": json.dumps({"message": text}) + "\n", "stream": "stderr"}),
    "JSON cut": lambda text: json.dumps({"level": "error", "exc_info": text})[:-3],
    "logfmt": lambda text: f"time=2026-11-03T08:10:22Z level=error msg={json.dumps(text)}",
    "key and value": lambda text: f"level='error' event='failed' exception={text!r}",
    "a repr": lambda text: repr(text),
    "line breaks written out": lambda text: text.replace("\n", "\\n"),
    "line breaks lost": lambda text: " ".join(line.strip() for line in text.splitlines()),
    "line breaks lost, indentation kept": lambda text: " ".join(text.splitlines()),
    "line breaks lost, records behind": lambda text: (
        " ".join(text.splitlines())
        + " 2026-11-03 08:10:22,123 INFO shop: next order [2026-11-03 08:10:23] ERROR shop: no"
    ),
    "a process, line breaks lost": lambda text: " ".join(f"(W pid=7) {line.strip()}" for line in text.splitlines()),
    "a screen of 60 columns": lambda text: "\n".join(
        line[at : at + 60] for line in text.splitlines() for at in range(0, len(line), 60)
    ),
    "mail": lambda text: text.replace('File "/usr', 'File\n"/usr').replace(", line 240, in", ", line\n240, in"),
    "a path broken by a terminal": lambda text: text.replace("site-packages", "site-pac\nkages"),
    "a name on the next line": lambda text: text.replace("in fetch", "in\n  fetch"),
    "a number on the next line": lambda text: text.replace(", line 240, in fetch", ",\nline 240, in fetch"),
    "carets": lambda text: text.replace("(key)\n", "(key)\n          ^^^^^^^^^^^^^^^^\n"),
    "tildes and carets": lambda text: text.replace("(key)\n", "(key)\n          ~~~~~~~~~~~^^^^^\n"),
    "a head cut": lambda text: text.partition("\n")[2],
    "a record between": lambda text: text.replace("(key)\n", "(key)\n2026-11-03 08:10:22 INFO shop: still here\n"),
    "records behind": lambda text: f"{text.rstrip()}\n2026-11-03 08:10:22,123 INFO shop: next order\n",
    "prose behind": lambda text: f"{text.rstrip()}\n\nThis is since the update.",
    "a shell behind": lambda text: f"{text.rstrip()}\n(venv) user@host:~$ ",
    "a list item": lambda text: "\n".join(f"  {line}" for line in f"- it fails:\n{text}".splitlines()),
}


def the_error(text: str) -> Occurrence:
    """Return the only error of that type in a text."""
    found = [one for one in read_paste(text).occurrences if one.type_name == "RowNotFound"]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("wrapping", WRAPPINGS.values(), ids=WRAPPINGS.keys())
def test_reads_a_traceback_through(wrapping: Callable[[str], str]) -> None:
    error = the_error(wrapping(PLAIN))
    frames = [(frame.path, frame.line, frame.symbol, frame.code) for frame in error.frames]
    assert (error.exception_type, error.message, frames) == (TYPE, MESSAGE, FRAMES)
    assert (error.role, error.count) == ("only", 1)


@pytest.mark.parametrize("kept", range(1, 6))
def test_reads_a_traceback_that_lacks_its_end(kept: int) -> None:
    lines = PLAIN.splitlines()[:kept]
    found = [frame for one in read_paste("\n".join(lines)).occurrences for frame in one.frames]
    assert [(frame.path, frame.line, frame.symbol) for frame in found] == [frame[:3] for frame in FRAMES[: kept // 2]]


@pytest.mark.parametrize(
    ("broken", "symbol"),
    [("in **init**", "__init__"), ("in <lambda>", "<lambda>"), ("in <module>", "<module>"), ("in f()", "f")],
)
def test_reads_a_name_as_source_has_it(broken: str, symbol: str) -> None:
    assert the_error(PLAIN.replace("in fetch", broken)).frames[-1].symbol == symbol


def test_reads_interleaved_processes_each_by_itself() -> None:
    one = [f"(W pid=11) {line}" for line in PLAIN.splitlines()]
    other = [f"(W pid=22) {line}" for line in PLAIN.replace("a-17", "b-18").replace("shop", "desk").splitlines()]
    text = "\n".join(line for pair in zip(one, other, strict=True) for line in pair)
    paste = read_paste(text)
    assert {line.stream for line in paste.lines} == {"(W pid=11)", "(W pid=22)"}
    assert [(error.message, len(error.frames)) for error in paste.occurrences] == [
        ("no row 'a-17' in table orders", 2),
        ("no row 'b-18' in table orders", 2),
    ]


def test_numbers_lines_as_the_paste_has_them() -> None:
    error = the_error(f"a\nb\n{PLAIN}")
    assert (error.number, error.last_number, [frame.number for frame in error.frames]) == (8, 8, [4, 6])


GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/srv/shop/orders.py", line 31, in load_all
  |     raise ExceptionGroup("some orders failed", errors)
  | ExceptionGroup: some orders failed (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/shop/orders.py", line 12, in load_order
    |     row = table.fetch(key)
    | store.errors.RowNotFound: no row 'a-17' in table orders
    +---------------- 2 ----------------
    | TypeError: not a key
    +------------------------------------
"""
CHAIN = """\
Traceback (most recent call last):
  File "/srv/shop/orders.py", line 12, in load_order
    row = table.fetch(key)
store.errors.RowNotFound: no row 'a-17' in table orders
and none in the archive

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/shop/orders.py", line 14, in load_order
    raise OrderError(key)
shop.errors.OrderError
"""
KEEPING = (
    *("nothing", "windows line ends", "trailing blanks", "quoted by mail", "fenced", "colours", "HTML escapes"),
    *("source of a page", "docker compose", "docker compose with a time", "docker timestamps", "kubectl --prefix"),
    *("container runtime", "journald", "syslog", "GitHub Actions", "gh run view", "GitLab", "heroku", "a rank"),
    *("mpirun", "a process", "ray", "JSON", "JSON behind a container", "JSON in JSON", "logfmt", "a repr"),
)


@pytest.mark.parametrize("name", KEEPING)
def test_reads_a_group_through(name: str) -> None:
    found = read_paste(WRAPPINGS[name](GROUP)).occurrences
    assert [(one.role, one.type_name, len(one.frames)) for one in found if one.exception_type] == [
        ("consequence", "ExceptionGroup", 1),
        ("root", "RowNotFound", 1),
        ("root", "TypeError", 0),
    ]
    assert len({one.chain for one in found if one.exception_type}) == 1


@pytest.mark.parametrize("name", [name for name in KEEPING if name != "docker compose with a time"])
def test_reads_a_chain_and_lines_of_a_message_through(name: str) -> None:
    found = read_paste(WRAPPINGS[name](CHAIN)).occurrences
    assert [(one.role, one.type_name, one.message) for one in found if one.exception_type] == [
        ("root", "RowNotFound", f"{MESSAGE}\nand none in the archive"),
        ("consequence", "OrderError", ""),
    ]


def test_reads_a_message_whose_brackets_look_like_colours() -> None:
    text = "[0m\nERROR 05-04 09:11:02 [multiproc.py:435] ValueError: bad [m] and [x]"
    assert [one.message for one in read_paste(text).occurrences] == ["bad [m] and [x]"]


STRAY = '  File "/srv/shop/orders.py", line 12, in load_order\n'


@pytest.mark.parametrize(
    ("below", "code"),
    [
        ("    row = table.fetch(key)", "row = table.fetch(key)"),
        ("  row = table.fetch(key)", "row = table.fetch(key)"),
        ("no row in table orders", ""),
        ("INFO:     10.0.0.5:50012 - GET /orders 200", ""),
    ],
)
def test_code_is_not_left_of_its_frame_nor_behind_a_prefix(below, code):
    (told,) = read_paste(f"{STRAY}{below}\n").occurrences
    assert [frame.code for frame in told.frames] == [code]


@pytest.mark.parametrize("text", ["[W] no config for\n 'a' was found", 'it\'s "gone",\nlost'])
def test_reads_the_lines_of_a_literal_as_they_were(text):
    assert [line.text for line in read_paste(repr(text)).lines] == text.split("\n")


@pytest.mark.parametrize("text", [r"'C:\new'", r"'a\b' and 'c\nd' or", r"\n"])
def test_takes_nothing_else_for_a_literal(text):
    assert [line.text for line in read_paste(f"x = {text}").lines] == [f"x = {text}"]
