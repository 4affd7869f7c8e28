"""Tests of what loggers, containers and runners put before a line: what is left, its level, the stream it came by."""

from itertools import pairwise

import pytest

from errorkb.core.tracebacks.prefixes import Prefixes, split_prefix

# line, what is left of it, level, stream
LINES = [
    ("2026-12-01 02:50:03,696 ERROR    [shop.basket:99] boom", "boom", "ERROR", ""),
    ("2026-11-03 08:10:22,123 - app.server - ERROR - boom", "boom", "ERROR", ""),
    ("2026-11-03 08:10:22,123 [MainThread] ERROR app.x - boom", "boom", "ERROR", ""),
    ("2026-11-03 08:10:22.680 | ERROR    | app.views:get:87 - boom", "boom", "ERROR", ""),
    ("[2026-11-03 08:10:22,123: ERROR/MainProcess] boom", "boom", "ERROR", ""),
    ("[2026-11-03 08:10:22 +0000] [812] [ERROR] boom", "boom", "ERROR", ""),
    ("11/03/2026 08:10:22 AM ERROR boom", "boom", "ERROR", ""),
    ("[03/Nov/2026 08:10:22] ERROR boom", "boom", "ERROR", ""),
    ("Tue Nov  3 08:10:22 2026 boom", "boom", "", ""),
    ("[08:10:22] boom", "boom", "", ""),
    ("08:10:22 [ERROR] app.x: boom", "boom", "ERROR", ""),
    ("INFO 12-16 10:02:12 [core.py:918] boom", "boom", "INFO", ""),
    ("ERROR:root:boom", "boom", "ERROR", ""),
    ("ERROR:shop.basket:boom", "boom", "ERROR", ""),
    ("WARNING: boom", "boom", "WARNING", ""),
    ("[WARNING] boom", "boom", "WARNING", ""),
    ("[INFO ] 2026-11-03 08:10:22 boom", "boom", "INFO", ""),
    ("2026-12-01T02:51:06.025740Z [error    ] boom", "boom", "error", ""),
    ("[错误] boom", "boom", "错误", ""),
    ("E0619 02:50:10.007121  1555 tcp_transport.cpp:136] boom", "boom", "E", ""),
    ("[E 08:10:22.123 NotebookApp] boom", "boom", "E", ""),
    ("2026-11-03T08:10:22.1234567Z ##[error]boom", "boom", "error", ""),
    ("test\tRun tests\t2026-11-03T08:10:22.1234567Z   boom", "  boom", "", ""),
    ("2026-11-03T08:10:22.123456Z 01O   boom", "  boom", "", ""),
    ("2026-11-03T08:10:22.123456Z 00O+boom", "boom", "", ""),
    ("web-1  |   boom", "  boom", "", "web-1"),
    ("web-1  | 2026-11-03T08:10:22Z ERROR boom", "boom", "ERROR", "web-1"),
    ("[pod/web-7d9/app] boom", "boom", "", "[pod/web-7d9/app]"),
    ("2026-11-03T08:10:22.123456789Z stderr F boom", "boom", "", "stderr F"),
    ("Nov 03 08:10:22 host1 gunicorn[812]: boom", "boom", "", "host1 gunicorn[812]"),
    ("<13>Nov  3 08:10:22 host1 app[12]: boom", "boom", "", "host1 app[12]"),
    ("<13>1 2026-11-03T08:10:22.003Z host1 app 812 ID47 - boom", "boom", "", ""),
    ("2026-11-03T08:10:22.123456+00:00 app[web.1]: boom", "boom", "", "app[web.1]"),
    ("[2025-09-18 17:03:40 DP3 TP28] boom", "boom", "", "DP3 TP28"),
    ("(EngineCore_DP0 pid=15203) ERROR 12-16 10:02:12 [core.py:918] boom", "boom", "ERROR", "(EngineCore_DP0 pid=15203)"),
    ("(Worker_TP1 pid=15203)   boom", "  boom", "", "(Worker_TP1 pid=15203)"),
    ("[rank0]: boom", "boom", "", "[rank0]"),
    ("[1,0]<stderr>:boom", "boom", "", "[1,0]<stderr>"),
    ("2026-11-03T08:10:22.123456789Z struct.error: boom", "struct.error: boom", "", ""),
    ("2026-11-03T08:10:22.123456789Z   | boom", "  | boom", "", ""),
    ("== APP ==   boom", "  boom", "", "== APP =="),
    ("> boom", "boom", "", ""),
    ("> >   boom", "  boom", "", ""),
]  # fmt: skip

UNTOUCHED = [
    "",
    "    boom",
    "ValueError: boom",
    '  File "/a/b.py", line 3, in f',
    "    [x for x in y]",
    "    (a, b)",
    "[1, 2, 3]",
    "Error in the middle",
    "2 files",
    "x = a | b",
    "struct.error: unpack requires 4 bytes",
    "x" * 1000,
    " " * 1000 + "[08:10:22] boom",
]


@pytest.mark.parametrize(("line", "left", "level", "stream"), LINES, ids=[line for line, *_ in LINES])
def test_takes_off_what_stands_before(line: str, left: str, level: str, stream: str) -> None:
    prefix = split_prefix(line)
    assert (line[prefix.end :], prefix.level, prefix.stream) == (left, level, stream)


@pytest.mark.parametrize("line", UNTOUCHED)
def test_leaves_a_line_without_prefix(line: str) -> None:
    assert split_prefix(line).shape == ""


def test_reads_each_line_of_a_log_as_if_it_were_alone() -> None:
    lines = [line for line, *_ in LINES]
    prefixes = Prefixes()
    for line in [line for pair in pairwise(lines) for line in (*pair, pair[0])]:
        assert prefixes.of(line) == split_prefix(line)
