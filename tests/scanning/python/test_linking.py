"""Texts that an exception's class, another module or a caller brings."""

# ruff: noqa: E501  (a row holds a whole source)

import pytest

from errorkb.scanning.python import extract, link
from tests.scanning.python.reading import sites_of, templates

BOTOCORE = """
class BotoCoreError(Exception):
    fmt = 'An unspecified error occurred'

    def __init__(self, **kwargs):
        msg = self.fmt.format(**kwargs)
        Exception.__init__(self, msg)
        self.kwargs = kwargs

class ServiceError(BotoCoreError):
    fmt = 'Unknown service: {name!r}. Known: {known}'
"""
DRF = """
class APIException(Exception):
    status_code = 500
    default_detail = _('A server error occurred.')
    default_code = 'error'

    def __init__(self, detail=None, code=None):
        if detail is None:
            detail = self.default_detail
        if code is None:
            code = self.default_code
        self.detail = _get_error_details(detail, code)

    def __str__(self):
        return str(self.detail)

class NotFound(APIException):
    default_detail = _('Not found.')
    default_code = 'not_found'
"""
URLLIB3 = """
class PoolError(Exception):
    def __init__(self, pool, message):
        self.pool = pool
        super().__init__(f"{pool}: {message}")

class MaxRetryError(PoolError):
    def __init__(self, pool, url, reason=None):
        message = f"Max retries exceeded with url: {url} (Caused by {reason!r})"
        super().__init__(pool, message)
"""

CLASS_TEXTS = [
    ("class E(Exception): pass\nraise E('given')", ["given"]),
    ("class E(Exception):\n    message = 'of the class'\nraise E", ["of the class"]),
    ("class E(Exception):\n    msg = 'of the class'\nclass F(E): pass\nraise F()", ["of the class"]),
    ("class E(Exception):\n    def __str__(self):\n        return 'from str'\nraise E(1)", ["from str"]),
    ("class E(Exception):\n    def __str__(self):\n        return f'no {self.name} here'\nraise E(x)", ["no {self.name} here"]),
    ("class E(Exception):\n    def __init__(self, name):\n        super().__init__(f'no {name}')\nraise E(x)", ["no {name}"]),
    ("class E(Exception):\n    def __init__(self, name):\n        super().__init__(f'no {name}')\nraise E('x1')", ["no x1"]),
    ("class E(Exception):\n    def __init__(self, name):\n        super().__init__('no %s' % name)\nraise E(x)", ["no {0}"]),
    ("class E(Exception):\n    def __init__(self, name):\n        super().__init__('no %s' % name)\nraise E('x1')", ["no x1"]),
    ("class E(Exception):\n    def __init__(self, why):\n        super(E, self).__init__('E: ' + why)\nraise E(f'a {x}')", ["E: a {x}"]),
    ("class E(Exception):\n    def __init__(self, msg='default text'):\n        super().__init__(msg)\nraise E()", ["default text"]),
    ("class E(Exception):\n    def __init__(self, msg='default text'):\n        super().__init__(msg)\nraise E('given')", ["given"]),
    ("class E(Exception):\n    def __init__(self, msg=None):\n        super().__init__(msg or 'else')\nraise E()", ["else"]),
    ("class E(Exception):\n    def __init__(self, msg=None):\n        super().__init__(msg or 'else')\nraise E('given')", ["given"]),
    ("class E(Exception):\n    def __init__(self, code, msg):\n        self.message = msg\nraise E(3, 'set on self')", ["set on self"]),
    ("class E(Exception):\n    def __init__(self, *args, n=1, **kw):\n        super().__init__(*args, **kw)\nraise E('passed on')", ["passed on"]),
    ("class E(Exception):\n    def __init__(self, a, b):\n        self.a = a\n    def __str__(self):\n        return f'{self.a} failed'\nraise E('step', 2)", ["step failed"]),
    ("class A:\n    class E(Exception):\n        message = 'nested'\nraise A.E", ["nested"]),
    ("class A:\n    text = 'of the class around'\n    def f(self):\n        raise E(self.text)", ["of the class around"]),
    ("class A:\n    text = 'inherited'\nclass B(A):\n    def f(self):\n        raise E(self.text)", ["inherited"]),
    ("class A:\n    error_messages = {'bad': 'Bad %(x)s'}\n    def f(self):\n        raise E(self.error_messages['bad'], params={})", ["Bad {x}"]),
    ("class A:\n    default_error_messages = {'bad': _('Bad.')}\nclass B(A):\n    def f(self):\n        raise E(self.error_messages['bad'])", ["Bad."]),
    ("BAD = 'constant %s'\ndef f(x):\n    raise E(BAD % x)", ["constant {0}"]),
    ("BAD = 'constant'\nWORSE = BAD + ' and more'\nraise E(WORSE)", ["constant and more"]),
    ("TEXTS = {'a': 'text a', 'b': 'text b'}\ndef f():\n    raise E(TEXTS['a'])", ["text a"]),
    ("TEXTS = {'a': 'text a', 'b': 'text b'}\ndef f(k):\n    raise E(TEXTS[k])", ["text a", "text b"]),
    ("ERR = ValueError('built once')\ndef f():\n    raise ERR", ["built once"]),
    ("def make_error(x):\n    return E(f'made for {x}')\ndef f(y):\n    raise make_error(y)", ["made for {x}"]),
    ("def message(x):\n    return 'text: %s' % x\ndef f(y):\n    raise E(message(y))", ["text: {0}"]),
    ("class A:\n    def _err(self, why):\n        return E('A: ' + why)\n    def f(self):\n        raise self._err('bad')", ["A: bad"]),
    ("try:\n    g()\nexcept OSError as e:\n    raise type(e)('said again')", ["said again"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CLASS_TEXTS)
def test_finds_texts_that_are_made_elsewhere_in_the_module(source, expected):
    assert templates(source) == expected


ACROSS = [
    ("from pkg.errors import ServiceError\nraise ServiceError(name=x, known=y)", BOTOCORE, ["Unknown service: {name}. Known: {known}"]),
    ("from .errors import ServiceError\nraise ServiceError(name='s3', known=y)", BOTOCORE, ["Unknown service: s3. Known: {known}"]),
    ("from . import errors\nraise errors.BotoCoreError()", BOTOCORE, ["An unspecified error occurred"]),
    ("import pkg.errors as e\nraise e.NotFound", DRF, ["Not found."]),
    ("import pkg.errors\nraise pkg.errors.NotFound()", DRF, ["Not found."]),
    ("from pkg.errors import *\nraise NotFound('No such page.')", DRF, ["No such page."]),
    ("from .errors import MaxRetryError\nraise MaxRetryError(p, u, r)", URLLIB3, ["{pool}: Max retries exceeded with url: {url} (Caused by {reason})"]),
    ("def f():\n    from .errors import NotFound as Missing\n    raise Missing()", DRF, ["Not found."]),
    ("from .errors import NotFound\nclass Gone(NotFound): pass\nraise Gone()", DRF, ["Not found."]),
    ("from .errors import BAD\nraise E(BAD)", "BAD = 'constant of another module'", ["constant of another module"]),
    ("from . import errors\nraise E(errors.BAD % x)", "BAD = 'bad %s'", ["bad {0}"]),
    ("from .errors import Texts\nraise E(Texts.BAD)", "class Texts:\n    BAD = 'of a class'\nclass TextsError(Texts): pass", ["of a class"]),
    ("from .errors import Alias\nraise Alias()", "class RealError(Exception):\n    message = 'real'\nAlias = RealError\nRENAMED_ERROR = Alias", ["real"]),
    ("from .errors import odd\nraise odd()", "def odd() -> ValueError:\n    return ValueError('annotated')", ["annotated"]),
    ("from .errors import make_error\nraise make_error('that')", "def make_error(what):\n    return ValueError('not ' + what)", ["not that"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "errors", "expected"), ACROSS)
def test_finds_texts_across_modules(source, errors, expected):
    assert templates(source, errors=errors) == expected


def test_a_class_brings_type_bases_and_code():
    (site,) = sites_of("from .errors import NotFound as Missing\nraise Missing()", errors=DRF)
    assert (site.exception_type, site.exception_bases, site.code) == (
        "NotFound",
        ("APIException", "Exception"),
        "not_found",
    )


HELPER = "def _fail(message, code=None):\n    raise ValueError(message)\n"
CALLERS = [
    (HELPER + "def f(x):\n    _fail('one')\n    _fail(f'two {x}')", ["one", "two {x}"]),
    (HELPER + "def f(x):\n    _fail(message='named')", ["named"]),
    ("def _fail(m):\n    raise E('Bad: ' + m)\ndef f():\n    _fail('this')", ["Bad: this"]),
    ("def _fail(m):\n    raise E(f'Bad: {m}')\ndef f(x):\n    _fail(x)", ["Bad: {m}"]),
    ("class A:\n    def fail(self, m):\n        raise E(m)\n    def f(self):\n        self.fail('by a method')", ["by a method"]),
    ("class A:\n    def fail(self, m):\n        raise E(m)\nclass B(A):\n    def f(self):\n        self.fail('inherited')", ["inherited"]),
    ("class A:\n    def fail(self, m):\n        raise E(m)\nclass B:\n    def f(self):\n        self.fail('of another class')", []),
    (HELPER + "def g(x):\n    pass\ndef f(x):\n    _fail(x)", []),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CALLERS)
def test_a_helper_says_what_its_callers_pass(source, expected):
    assert templates(source) == expected


def test_a_helper_says_what_callers_in_other_modules_pass():
    source = "def raise_bad(what):\n    raise ValueError(f'bad {what}')\n"
    other = "from .main import raise_bad\n\ndef f():\n    raise_bad('input')\n"
    assert templates(source, other=other) == ["bad input"]


def test_circles_come_to_an_end():
    source = "class A(B): pass\nclass B(A): pass\nX = Y\nY = X\ndef error_f(): return error_f()\n"
    raises = "def f():\n    raise A(X)\ndef g():\n    raise error_f()\ndef h():\n    raise E(error_f() + X)\n"
    assert len(sites_of(source + raises)) == 3


def test_imports_in_a_circle_come_to_an_end():
    assert templates("from .other import *\nraise Missing('x')", other="from .main import *") == ["x"]


def test_packages_below_a_folder_are_found_by_their_import_name():
    files = {
        "python/pkg/__init__.py": "",
        "python/pkg/errors.py": "class OddError(Exception):\n    message = 'odd'",
        "python/pkg/a.py": "from pkg.errors import OddError\nraise OddError",
    }
    (site,) = link([extract(text.encode(), path) for path, text in files.items()])
    assert [wording.template for wording in site.wordings] == ["odd"]


def test_the_same_blob_elsewhere_has_its_own_path():
    facts = extract(b"raise ValueError('x')", "a.py").at("b/c.py")
    assert (facts.path, facts.sites[0].path) == ("b/c.py", "b/c.py")
