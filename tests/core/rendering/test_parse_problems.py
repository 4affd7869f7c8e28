import warnings

import pytest

from errorkb.core.rendering import parse_problem


@pytest.mark.parametrize(
    ("code", "language", "problem"),
    [
        (
            "try:\n    f()\nexcept NotImplementedError:\n    # fall back",
            "python",
            "line 4: expected an indented block after 'except' statement on line 3",
        ),
        ("f(", "py", "line 1: '(' was never closed"),
        ("x = 1\nx x", "Python", "line 2: invalid syntax"),
        ('{"a": 1,\n oops}', "json", "line 2: expecting property name enclosed in double quotes"),
        ("", "json", "line 1: expecting value"),
        ("1" * 5_000, "json", "exceeds the limit"),
        ("a\0b", "python", "source code string cannot contain null bytes"),
        ("'\ud800'", "python", "'utf-8' codec can't encode"),
        ("-" * 60_000 + "1", "python", "too deeply nested to be parsed"),
        ("1+" * 30_000 + "1", "python", "too deeply nested to be parsed"),
        ("[" * 20_000, "json", "too deeply nested to be parsed"),
        ("9" * 5_000, "python", "line 1: exceeds the limit"),
    ],
)
def test_says_why_code_does_not_parse(code: str, language: str, problem: str) -> None:
    assert str(parse_problem(code, language)).startswith(problem)


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("def f():\n    return await g()", "python"),
        ("    a = 1\n    b = 2\n", "python"),
        ("return 1", "python"),
        ("", "python"),
        ('{"a": [1, null]}', "json"),
        ("f(", "javascript"),
        ("f(", None),
        ("f(", "no such language"),
        (">>> f(", "pycon"),
        ("// c\n{}", "jsonc"),
        ("f(" * 40_000, "python"),
        ("[" * 100_000, "json"),
    ],
)
def test_says_nothing_where_all_is_well_or_unknown(code: str, language: str | None) -> None:
    assert parse_problem(code, language) is None


def test_warnings_about_the_code_stay_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse_problem(r"'\d' is 1", "python") is None
