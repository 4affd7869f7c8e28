"""Scanning, Python: error codes at a throw site: check ids, `code=`, HTTP status, errno."""

import ast
import re
from http import HTTPStatus

from errorkb.scanning.python.sources import dotted_name

_KEYWORDS = ("id", "code", "error_code", "status_code", "status", "errno")
_HTTP_NAME = re.compile(r"HTTP_(\d{3})_")
_ERRNO_NAME = re.compile(r"E[A-Z0-9]{2,}")
_CHECK_ID = re.compile(r"\w+(?:\.\w+)*\.[A-Z]\d{3}")
MOST_LETTERS = 80


def code_of(call: ast.Call, class_around: ast.ClassDef | None = None) -> str:
    """Return the error code that a call names, or nothing: `fields.E304`, `404`, `ENOENT`, `invalid`.

    `code=self.code` is looked up among the attributes of the class around.
    """
    by_name = {keyword.arg: _attribute(keyword.value, class_around) for keyword in call.keywords}
    for name in _KEYWORDS:
        code = _code(by_name[name]) if name in by_name else ""
        if code:
            return code
    return _positional(call)


def is_check(call: ast.Call) -> bool:
    """Return whether a call makes a check message of Django's: its id is like `fields.E304`."""
    for keyword in call.keywords:
        if keyword.arg == "id" and isinstance(keyword.value, ast.Constant):
            return isinstance(keyword.value.value, str) and bool(_CHECK_ID.fullmatch(keyword.value.value))
    return False


def _attribute(value: ast.expr, class_around: ast.ClassDef | None) -> ast.expr:
    names = dotted_name(value) or ()
    if len(names) != 2 or names[0] not in ("self", "cls") or class_around is None:
        return value
    for statement in class_around.body:
        if isinstance(statement, ast.Assign) and dotted_name(statement.targets[0]) == names[1:]:
            return statement.value
    return value


def _positional(call: ast.Call) -> str:
    if not call.args:
        return ""
    first = call.args[0]
    name = dotted_name(call.func) or ("",)
    if isinstance(first, ast.Constant) and isinstance(first.value, int):
        is_http = name[-1].startswith("HTTP") or name[-1] == "abort"
        return str(first.value) if is_http and 100 <= first.value < 600 else ""
    names = tuple(name for name in dotted_name(first) or () if name != "value")
    return _code(first) if len(names) > 1 and names[-2] in ("errno", "HTTPStatus", "status") else ""


def _code(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        plain = isinstance(node.value, str | int) and not isinstance(node.value, bool)
        return str(node.value) if plain and len(str(node.value)) <= MOST_LETTERS else ""
    names = dotted_name(node) or ("",)
    found = _HTTP_NAME.match(names[-1])
    if found:
        return found[1]
    if names[-1] == "value":
        names = names[:-1]
    if len(names) > 1 and names[-2] == "HTTPStatus" and names[-1] in HTTPStatus.__members__:
        return str(HTTPStatus[names[-1]].value)
    return names[-1] if len(names) > 1 and names[-2] == "errno" and _ERRNO_NAME.fullmatch(names[-1]) else ""
