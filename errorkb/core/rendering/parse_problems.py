"""Core, rendering: why an example does not parse, in a short sentence for its caption."""

import ast
import json
import textwrap
import threading
import warnings
from collections.abc import Callable

from errorkb.core.rendering.languages import canonical_language

MAX_PARSED = 64 * 1024
"""Longest code, in characters, that is tried."""

_TOO_DEEP = "too deeply nested to be parsed"
# `warnings.catch_warnings` changes the whole process; two threads must not undo each other's filters.
_WARNINGS_LOCK = threading.Lock()


def _at_line(line: int | None, message: str) -> str:
    said = message[:1].lower() + message[1:]
    return f"line {line}: {said}" if line else said


def _python_problem(code: str) -> str | None:
    try:
        with _WARNINGS_LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(textwrap.dedent(code))
    except SyntaxError as error:
        return _at_line(error.lineno, error.msg)
    except ValueError as error:  # a NUL, a lone surrogate
        return _at_line(None, str(error))
    except (RecursionError, MemoryError):  # the parser's stack is full; the process is well
        return _TOO_DEEP
    return None


def _json_problem(code: str) -> str | None:
    try:
        json.loads(code)
    except json.JSONDecodeError as error:
        return _at_line(error.lineno, error.msg)
    except ValueError as error:  # a number of more digits than Python converts
        return _at_line(None, str(error))
    except RecursionError:
        return _TOO_DEEP
    return None


_CHECKS: dict[str, Callable[[str], str | None]] = {"python": _python_problem, "json": _json_problem}
# Names that colour alike but mean another grammar.
_OTHER_GRAMMARS = frozenset({"cython", "pyx", "json5", "jsonc", "ndjson", "jsonl"})


def parse_problem(code: str, language: str | None) -> str | None:
    """Return why `code` does not parse as `language`, or None if it does, or if nobody here can tell.

    Python and JSON are tried, up to MAX_PARSED characters; a common indentation is no fault, for an example may be
    cut out of a body. `"try:\\n    f()\\nexcept E:"` gives
    `"line 3: expected an indented block after 'except' statement on line 3"`. The sentence may quote from the code.
    """
    check = _CHECKS.get(canonical_language(language) or "")
    if check is None or len(code) > MAX_PARSED or str(language).strip().lower() in _OTHER_GRAMMARS:
        return None
    return check(code)
