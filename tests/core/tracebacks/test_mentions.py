"""Tests of errors that are named outside of a traceback: in a line, in a sentence, as a `repr`, only loud."""

import pytest

from errorkb.core.tracebacks import read_paste
from tests.core.tracebacks.told import told

NAMED = [
    ("ValueError: bad thing", ["only ValueError: bad thing"]),
    ("ValueError", ["only ValueError: "]),
    ("StopIteration", ["only StopIteration: "]),
    ("shop.errors.OrderError: no rows", ["only shop.errors.OrderError: no rows"]),
    ("struct.error: unpack requires 4 bytes", ["only struct.error: unpack requires 4 bytes"]),
    ("ValueError：输入无效", ["only ValueError: 输入无效"]),
    ("ValueError:输入无效", ["only ValueError: 输入无效"]),
    ("**ValueError: bad thing**", ["only ValueError: bad thing"]),
    ("- ValueError: bad thing", ["only ValueError: bad thing"]),
    ("### ValueError: bad thing", ["only ValueError: bad thing"]),
    ("[Bug] start fails: ValueError: bad thing", ["only ValueError: bad thing"]),
    ("ValueError('bad order: 17')", ["only ValueError: bad order: 17"]),
    ('shop.OrderError("it\'s gone", 17)', ["only shop.OrderError: it's gone"]),
    ("future: <Task coro=<f()> exception=OrderError('no rows')>", ["only OrderError: no rows"]),
    ("Task a.b[3f0c] raised unexpected: KeyError(17)", ["only KeyError: 17"]),
    ("failed with OrderError(number=17): no rows", ["only OrderError: no rows"]),
    ("FAILED tests/test_a.py::test_b - ValueError: bad thing", ["only ValueError: bad thing"]),
    ("ERROR tests/test_a.py - ModuleNotFoundError: No module named 'x'", ["only ModuleNotFoundError: No module named 'x'"]),
    ("/srv/a.py:12: UserWarning: mind the gap", ["only UserWarning: mind the gap [1] /srv/a.py:12"]),
    ("| start | ValueError: bad thing | 3 |", ["only ValueError: bad thing"]),
    ("<td>ValueError: bad &lt;thing&gt;</td>", ["only ValueError: bad <thing>"]),
    ("ValueError: first\nsecond line", ["only ValueError: first / second line"]),
    ("ValueError: first\n\nprose", ["only ValueError: first"]),
    ("ValueError: first\n---------\nprose", ["only ValueError: first"]),
]  # fmt: skip

QUOTED = [
    ("I get “ValueError: bad thing” when I start", ["only ValueError: bad thing"]),
    ("Fails with `KeyError: 'x'`.", ["only KeyError: 'x'"]),
    ("It failed (ValueError: f() takes 1 (2 given)), again", ["only ValueError: f() takes 1 (2 given)"]),
    ("升级之后报错“ValueError: 无法加载模型 qwen”，怎么办？", ["only ValueError: 无法加载模型 qwen"]),
    ("升级之后报错「RuntimeError: CUDA error: out of memory」，怎么办？", ["only RuntimeError: CUDA error: out of memory"]),
    ("提示 `ImportError: cannot import name 'a' from 'b'` 请问", ["only ImportError: cannot import name 'a' from 'b'"]),
    ("I get “shop.graph.NotOurs: no such way” at night", ["only shop.graph.NotOurs: no such way"]),
    ("2026-11-02,ERROR,\"shop.graph.Missing: no way: a\",b", ["only shop.graph.Missing: no way: a"]),
    ("It says 'Connection to the server was lost' and crashes", ["only ?: Connection to the server was lost"]),
    ("点击后报「连接服务器失败，请稍后重试一下」然后退出", ["only ?: 连接服务器失败，请稍后重试一下"]),
    ('Error type: ValueError. Text: "Tokens not accepted: 1".', ["only ValueError: Tokens not accepted: 1"]),
]  # fmt: skip

LOUD = [
    ("2026-11-03 08:10:22 ERROR shop: could not load order 17", ["only ?: could not load order 17"]),
    ("2026-11-03 08:10:22 WARNING shop: slow", ["only ?: slow"]),
    ('{"level": "error", "event": "could not load order 17"}', ["only ?: could not load order 17"]),
    ('level=error msg="could not load order 17" size=3', ["only ?: could not load order 17"]),
    ("manage.py: error: unrecognized arguments: --foo", ["only ?: unrecognized arguments: --foo"]),
    ("Error: No such option: --foo", ["only ?: No such option: --foo"]),
    ("错误：找不到模型", ["only ?: 找不到模型"]),
    ("2026-11-03 08:10:22 ERROR shop: first\nsecond line", ["only ?: first / second line"]),
]

SILENT = [
    "",
    "\n\n",
    "It works fine now.",
    "See the docs on error handling.",
    "2026-11-03 08:10:22 INFO shop: loaded",
    '{"level": "info", "event": "loaded"}',
    "raise ValueError('bad thing')",
    "except ValueError: pass",
    "error = ValueError('bad thing')",
    "    raise shop.OrderError(number)",
    "pip install 'shop[all]' fails with an error",
    "The error comes from `handler.generate_schema(kind, 17)`, I think",
    "The exception now also has the number of input tokens.",
    "thread 'main' started",
]


@pytest.mark.parametrize(
    ("text", "errors"), [*NAMED, *QUOTED, *LOUD], ids=[text for text, _ in [*NAMED, *QUOTED, *LOUD]]
)
def test_tells_of_the_error_in(text: str, errors: list[str]) -> None:
    assert [told(error) for error in read_paste(text).occurrences] == errors


@pytest.mark.parametrize("text", SILENT)
def test_tells_of_no_error_in(text: str) -> None:
    assert read_paste(text).occurrences == ()
