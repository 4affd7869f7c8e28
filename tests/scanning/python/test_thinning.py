"""What the parser is not shown, and that sites come out as if it had been."""

from textwrap import dedent

import pytest

from errorkb.scanning.python import extract, thinning
from errorkb.scanning.python.sources import Source
from errorkb.scanning.python.thinning import thinned
from tests.scanning.python.reading import templates

PADDING = "# " + "x" * thinning.LEAST_FILE + "\n"
LONG = "x" * thinning.LEAST_BODY


def left_out_of(source: str) -> dict[int, int]:
    """Return the lines of what is left out of a source long enough; line 1 is the padding."""
    return Source((PADDING + dedent(source)).encode())._left_out


LEFT_OUT = {
    "a body without a throw word": (
        f"""\
        def quiet(a, b=")"):  # (
            y = "{LONG}"

            return y

        raise E
        """,
        {2: 6},
    ),
    "each method, by its own words": (
        f"""\
        class C:
            async def quiet(
                self,
                x: dict[str, int] = f(1, g(2)),
            ) -> list[int]:
                y = "{LONG}"

            def loud(self):
                raise E("{LONG}")
        """,
        {3: 8},
    ),
    "what follows the last site of a function": (
        f"""\
        def check(x):
            if x:
                raise E(
                    x
                )
            else:
                x = 1
            y = "{LONG}"
            return y
        """,
        {2: 10},
    ),
    "not what a function within may be given": (
        f"""\
        def check(x):
            def inner():
                raise E(y)
            y = "{LONG}"
            return inner
        """,
        {},
    ),
    "not what stands in a text": (
        f"""\
        CODE = '''
        def quiet():
            y = "{LONG}"
        '''
        """,
        {},
    ),
    "a text that is less indented than its function": (
        f"""\
        def quiet():
            y = '''{LONG}
        def f(): pass
        '''
            return y
        z = 1
        """,
        {2: 6},
    ),
    "not a line that goes on on the next": (
        f"""\
        def quiet():
            y = "{LONG}" + \\
        1
        """,
        {},
    ),
    "nothing beside tabs": (f"def quiet():\n    y = '{LONG}'\ndef f():\n\treturn 1\n", {}),
    "nothing beside quotes that may hide others": (f"x = \"'''\"\ndef quiet():\n    y = '{LONG}'\n", {}),
    "nothing where what is left does not parse": (
        f"""\
        def quiet():
            y = ["{LONG}",
        1]
        """,
        {},
    ),
}


@pytest.mark.parametrize(("source", "lines"), LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_leaves_out(source, lines):
    assert left_out_of(source) == lines


def test_keeps_the_number_of_lines():
    source = PADDING + f"def quiet(\n    x=1\n) -> str:\n    y = '{LONG}'\n\n    return y\nz = 1"
    thin = thinned(source, [])
    assert thin.text.split("\n")[1:] == ["def quiet() -> str: pass", "", "", "", "", "", "z = 1"]


def test_leaves_short_files_whole():
    assert thinned(f"def quiet():\n    y = '{LONG}'\n", []).left_out == {}


def test_reads_what_a_site_asks_of_a_function_without_a_throw_word():
    source = f"""\
        def said(name):
            y = "{LONG}"
            return f"no {{name}} here"

        def check(x):
            raise E(said(x))
        """
    assert templates(PADDING + dedent(source)) == ["no {name} here"]


def test_reads_what_an_exception_makes_of_what_it_is_given():
    source = f"""\
        class OddError(Exception):
            def __init__(self, name):
                self.y = "{LONG}"
                super().__init__(f"odd {{name}}")

        def check(x):
            raise OddError(x)
        """
    assert templates(PADDING + dedent(source)) == ["odd {name}"]


@pytest.mark.parametrize("broken", ["x = y z\n", 'print "x"\n', "    x = y z\n    raise E\n"])
def test_reports_a_long_file_that_does_not_parse(broken):
    facts = extract((PADDING + f"def quiet():\n    y = '{LONG}'\n" + broken).encode(), "a.py")
    assert facts.problem is not None
    assert "does not parse" in facts.problem.text
