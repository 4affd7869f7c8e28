"""Which statements are sites, of which kind, type, place and code."""

import pickle

import pytest

from errorkb.scanning.languages import PYTHON, language_of
from errorkb.scanning.python import extract, link
from tests.scanning.python.reading import sites_of

KINDS = [
    ("raise ValueError('t')", "error", "ValueError", "t"),
    ("raise HTTPException(404, 'Gone')", "error", "HTTPException", "Gone"),
    ("raise a.b.OddError('t')", "error", "OddError", "t"),
    ("raise socket.timeout('t')", "error", "timeout", "t"),
    ("from x import make\nraise make('t')", "error", "", "t"),
    ("def f(exc):\n    raise exc('t')", "error", "", "t"),
    ("def f(self):\n    raise self.model.DoesNotExist('t')", "error", "DoesNotExist", "t"),
    ("from x import A as B\nraise B('t')", "error", "A", "t"),
    ("try:\n    f()\nexcept KeyError as e:\n    raise type(e)('t')", "error", "KeyError", "t"),
    ("sys.exit('t')", "error", "SystemExit", "t"),
    ("from sys import exit\nexit('t')", "error", "SystemExit", "t"),
    ("raise SystemExit('t')", "error", "SystemExit", "t"),
    ("assert x, 't'", "assertion", "AssertionError", "t"),
    ("assert x, ('t', x)", "assertion", "AssertionError", "t"),
    ("assert x", "assertion", "AssertionError", None),
    ("warnings.warn('t')", "warning", "UserWarning", "t"),
    ("warnings.warn('t', DeprecationWarning, stacklevel=2)", "warning", "DeprecationWarning", "t"),
    ("warnings.warn('t', category=a.OddWarning)", "warning", "OddWarning", "t"),
    ("warnings.warn(OddWarning('t'))", "warning", "OddWarning", "t"),
    ("warnings.warn(message='t')", "warning", "UserWarning", "t"),
    ("from warnings import warn\nwarn('t')", "warning", "UserWarning", "t"),
    ("logger.error('t')", "log", "", "t"),
    ("logger.error('t %s', x)", "log", "", "t {0}"),
    ("logger.error('t %(a)s', {'a': 1})", "log", "", "t {a}"),
    ("logger.error('t %')", "log", "", "t %"),
    ("logger.error(f't {x}', exc_info=True)", "log", "", "t {x}"),
    ("logging.warning('t')", "log", "", "t"),
    ("self._log.critical('t')", "log", "", "t"),
    ("LOG.fatal('t')", "log", "", "t"),
    ("logging.getLogger(__name__).exception('t')", "log", "", "t"),
    ("x = lambda: logger.error('t')", "log", "", "t"),
    ("x = y or logger.error('t')", "log", "", "t"),
    ("async def f():\n    await logger.error('t')", "log", "", "t"),
    ("if logger.error('t'):\n    pass", "log", "", "t"),
    ("logger.exception(e)", "log", "", None),
    ("checks.Error('t', id='fields.E304')", "error", "Error", "t"),
    ("errors.append(Warning('t', hint='h', id='models.W001'))", "warning", "Warning", "t"),
    ("class A:\n    raise ValueError('t')", "error", "ValueError", "t"),
    ("try:\n    f()\nexcept E as e:\n    e = F('t')\n    raise e", "error", "F", "t"),
    ("try:\n    f()\nexcept* E as e:\n    raise F('t')", "error", "F", "t"),
    ("async def f():\n    async with x:\n        async for y in x:\n            raise F('t')", "error", "F", "t"),
]


@pytest.mark.parametrize(("source", "kind", "exception_type", "template"), KINDS)
def test_finds_sites_of_each_kind(source, kind, exception_type, template):
    (site,) = sites_of(source)
    found = [wording.template for wording in site.wordings]
    assert (site.kind, site.exception_type, found) == (kind, exception_type, [template] if template else [])


NO_SITES = [
    "try:\n    f()\nexcept E:\n    raise",
    "try:\n    f()\nexcept E as e:\n    raise e",
    "try:\n    f()\nexcept E as e:\n    raise e from None",
    "try:\n    f()\nexcept E as e:\n    raise e.with_traceback(None)",
    "try:\n    f()\nexcept E as e:\n    last = e\n    raise last",
    "def f():\n    last = None\n    try:\n        g()\n    except E as e:\n        last = e\n    raise last",
    "sys.exit()",
    "sys.exit(1)",
    "sys.exit(main())",
    "parser.error('of argparse')",
    "console.warning('no logger')",
    "dialog.error('t')",
    "catalogue.error('t')",
    "logger.info('t')",
    "x = 'raise ValueError'",
    "# raise ValueError('t')",
    "Field(id='name')",
]


@pytest.mark.parametrize("source", NO_SITES)
def test_other_statements_are_no_sites(source):
    assert sites_of(source) == []


CODES = [
    ("raise ValidationError('t', code='invalid')", "invalid"),
    ("checks.Error('t', id='fields.E304')", "fields.E304"),
    ("raise HTTPException(status_code=404, detail='t')", "404"),
    ("raise HTTPException(404, 't')", "404"),
    ("raise HTTPException(status_code=status.HTTP_409_CONFLICT, detail='t')", "409"),
    ("raise HTTPException(status_code=HTTPStatus.BAD_REQUEST, detail='t')", "400"),
    ("raise HTTPException(HTTPStatus.NOT_FOUND.value, 't')", "404"),
    ("raise OSError(errno.ENOENT, 't')", "ENOENT"),
    ("raise E('t', code=x)", ""),
    ("class V:\n    code = 'odd'\n    def f(self):\n        raise E('t', code=self.code)", "odd"),
    ("raise E(404, 't')", ""),
    ("raise E('t')", ""),
]


@pytest.mark.parametrize(("source", "code"), CODES)
def test_reads_error_codes(source, code):
    (site,) = sites_of(source)
    assert site.code == code


SYMBOLS = [
    ("raise E", ""),
    ("def f():\n    raise E", "f"),
    ("class A:\n    def f(self):\n        raise E", "A.f"),
    ("class A:\n    class B:\n        async def f(self):\n            raise E", "A.B.f"),
    ("def f():\n    def g():\n        raise E", "f.g"),
    ("def f():\n    class A:\n        def g(self):\n            raise E", "f.A.g"),
    ("class A:\n    def f(self):\n        def g():\n            raise E", "A.f.g"),
    ("if x:\n    def f():\n        raise E", "f"),
    ("def f():\n    return lambda: sys.exit('t')", "f"),
]


@pytest.mark.parametrize(("source", "symbol"), SYMBOLS)
def test_names_the_function_around(source, symbol):
    (site,) = sites_of(source)
    assert site.symbol == symbol


def test_lines_are_those_of_the_statement():
    (site,) = sites_of("\n\nif x:\n    raise ValueError(\n        'a '\n        'b'\n    )\n")
    assert (site.line, site.end_line) == (4, 7)


def test_a_call_in_the_head_of_a_block_has_its_own_lines():
    (site,) = sites_of("if logger.error(\n  't'\n):\n    pass\n    pass\n")
    assert (site.line, site.end_line) == (1, 3)


def test_a_form_feed_ends_no_line():
    (site,) = sites_of("x = 1\n\x0c\nraise E('t')\n")
    assert (site.line, site.snippet) == (3, "x = 1\n\x0c\nraise E('t')")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_all_line_ends_count(end):
    facts = extract(end.join(["x = 1", "y = 2", "raise E('t')", ""]).encode(), "a.py")
    assert (facts.sites[0].line, facts.lines) == (3, 3)


def test_the_snippet_holds_some_twelve_lines_around_the_statement():
    lines = [f"x{n} = {n}" for n in range(1, 21)]
    lines[9] = "raise E('t')"
    (site,) = sites_of("\n".join(lines))
    assert (site.snippet_start, site.snippet.split("\n")) == (4, lines[3:15])


def test_the_snippet_holds_a_long_statement_whole():
    body = [f"    'line {n} '" for n in range(30)]
    (site,) = sites_of("x = 1\n" + "\n".join(["raise E(", *body, ")"]) + "\ny = 2\n")
    assert (site.snippet_start, site.snippet.split("\n")) == (2, ["raise E(", *body, ")"])


SIGNATURES = [
    ("def f(a, b: int = 3, *c, d=None, **e) -> None:\n    raise E", "def f(a, b: int = 3, *c, d=None, **e) -> None"),
    ("@x\nasync def f(\n    a,\n    b: dict[str, int],\n):\n    raise E", "async def f(a, b: dict[str, int])"),
    ("def f(a,  # why\n      b):\n    raise E", "def f(a, b)"),
    ("def f(a): raise E", "def f(a)"),
    ("raise E", ""),
]


@pytest.mark.parametrize(("source", "signature"), SIGNATURES)
def test_keeps_the_signature_of_the_function_around(source, signature):
    (site,) = sites_of(source)
    assert site.signature == signature


def test_sites_come_in_the_order_of_the_source():
    source = "def f():\n    raise A\nlogger.error('b')\nassert c\nif x:\n    raise D\nelse:\n    raise E\n"
    assert [site.line for site in sites_of(source)] == [2, 3, 4, 6, 8]


def test_facts_can_be_pickled():
    source = b"from .x import E\nclass F(E):\n    message = 'm'\ndef f(x):\n    raise F(f'a {x}')\n"
    facts = extract(source, "a.py")
    assert list(link([pickle.loads(pickle.dumps(facts))])) == list(link([facts]))


def test_python_is_in_the_table_of_languages():
    assert (language_of("a/b.PY"), language_of("a/b.js"), PYTHON.name) == (PYTHON, None, "python")
