"""What is read at the raise itself: literals, formatting, locals, conditional texts."""

import pytest

from errorkb.scanning.sites import Wording
from tests.scanning.python.reading import sites_of, templates

EXPRESSIONS = [
    # literals and concatenation
    ("'plain'", "plain", None, "plain"),
    ("'Invalid JSON {'", "Invalid JSON {", None, "Invalid JSON {{"),
    ("'50% off'", "50% off", None, "50% off"),
    ("'a ' 'b'", "a b", None, "a b"),
    ("'a ' + 'b'", "a b", None, "a b"),
    ("('a '\n  'b ' + 'c')", "a b c", None, "a b c"),
    ("'no key ' + key", "no key {key}", "fstring", "no key {key}"),
    ("'no key ' + str(key) + '!'", "no key {str(key)}!", "fstring", "no key {0}!"),
    ("'{' + key", "{{{key}", "fstring", "{{{key}"),
    ("'-' * 3 + ' end'", "--- end", None, "--- end"),
    ("r'\\d+ only'", r"\d+ only", None, r"\d+ only"),
    ("'''two\nlines'''", "two\nlines", None, "two\nlines"),
    ("'ä: 错误'", "ä: 错误", None, "ä: 错误"),
    (r"'nul \0 and \ud800'", r"nul \x00 and \ud800", None, r"nul \x00 and \ud800"),
    # f-strings
    ("f'bad {x}'", "bad {x}", "fstring", "bad {x}"),
    ("f'bad {x!r:>10} {y.z:.2f}'", "bad {x!r:>10} {y.z:.2f}", "fstring", "bad {x} {y.z}"),
    ("f'{x=}'", "x={x!r}", "fstring", "x={x}"),
    ("f'{len(x)} of {n} in {x[0]}'", "{len(x)} of {n} in {x[0]}", "fstring", "{0} of {n} in {1}"),
    ("f'{{literal}} {x}'", "{{literal}} {x}", "fstring", "{{literal}} {x}"),
    ("f'a {x} ' 'b {y}'", "a {x} b {{y}}", "fstring", "a {x} b {{y}}"),
    ("f'a {x} ' f'b {y}'", "a {x} b {y}", "fstring", "a {x} b {y}"),
    ("f'no slots'", "no slots", None, "no slots"),
    ("f'{\"quoted\"} text'", "quoted text", None, "quoted text"),
    ("f'got {d[\"k\"]} here'", "got {d['k']} here", "fstring", "got {0} here"),
    ("f'{x}: ' + f'{y}!'", "{x}: {y}!", "fstring", "{x}: {y}!"),
    ("f'{x:{width}} wide'", "{x} wide", "fstring", "{x} wide"),
    # percent
    ("'no %s' % x", "no %s", "percent", "no {0}"),
    ("'%s of %r' % (a, b)", "%s of %r", "percent", "{0} of {1}"),
    ("'%(n)d of %(m)s' % {'n': 1, 'm': m}", "%(n)d of %(m)s", "percent", "{n} of {m}"),
    ("'%(n)d left' % counts", "%(n)d left", "percent", "{n} left"),
    ("'100%% of %s' % x", "100%% of %s", "percent", "100% of {0}"),
    ("'a %s ' % x + 'b'", "a {0} b", "fstring", "a {0} b"),
    ("'a %s ' % x + f'{y} ' + 'c %s' % z", "a {0} {y} c {1}", "fstring", "a {0} {y} c {1}"),
    ("('a ' + 'b %s') % x", "a b %s", "percent", "a b {0}"),
    ("'100%'", "100%", None, "100%"),
    # str.format
    ("'{} of {}'.format(a, b)", "{} of {}", "brace", "{0} of {1}"),
    ("'{n} of {m!r}'.format(n=1, m=m)", "{n} of {m!r}", "brace", "{n} of {m}"),
    ("'{0}, {1}, {0}'.format(a, b)", "{0}, {1}, {0}", "brace", "{0}, {1}, {0}"),
    ("'{{}} {}'.format(a)", "{{}} {}", "brace", "{{}} {0}"),
    ("'{n}'' left'.format(**d)", "{n} left", "brace", "{n} left"),
    ("'open { brace'.format(a)", "open { brace", None, "open {{ brace"),
    ("('a {} '\n 'b {x}').format(a, x=1)", "a {} b {x}", "brace", "a {0} b {x}"),
    # functions that keep the words
    ("_('translated')", "translated", None, "translated"),
    ("_('has %s') % x", "has %s", "percent", "has {0}"),
    ("gettext_lazy('lazy')", "lazy", None, "lazy"),
    ("pgettext('context', 'the text')", "the text", None, "the text"),
    ("', '.join(['a', 'b'])", "a, b", None, "a, b"),
    ("' '.join(('a', f'{x}', 'c'))", "a {x} c", "fstring", "a {x} c"),
    ("textwrap.dedent('''\\\n    one\n      two\n''')", "one\n  two\n", None, "one\n  two\n"),
    ("dedent('''\n    a %s\n''').strip() % x", "a %s", "percent", "a {0}"),
    ("inspect.cleandoc('''a\n    b''')", "a\nb", None, "a\nb"),
    ("' padded '.strip()", "padded", None, "padded"),
    ("str('as text')", "as text", None, "as text"),
    ("mark_safe('safe')", "safe", None, "safe"),
    ("format_html('<b>{}</b> bad', x)", "<b>{}</b> bad", "brace", "<b>{0}</b> bad"),
]


@pytest.mark.parametrize(("expression", "message", "placeholders", "template"), EXPRESSIONS)
def test_reads_a_message_where_it_is_raised(expression, message, placeholders, template):
    (site,) = sites_of(f"def f(x, key):\n    raise ValueError({expression})")
    assert site.wordings == (Wording(message, placeholders, template),)
    assert (site.text, site.exception_type, site.kind) == ("full", "ValueError", "error")


ALTERNATIVES = [
    ("'a' if x else 'b'", ["a", "b"]),
    ("('a' if x else 'b') + ' end'", ["a end", "b end"]),
    ("f'n {x}' if x else ('b' if y else 'c')", ["n {x}", "b", "c"]),
    ("ngettext('%d file', '%d files', n) % n", ["{0} file", "{0} files"]),
    ("ngettext_lazy('one', 'many', 'n')", ["one", "many"]),
    ("{'a': 'text a', 'b': 'text b'}[x]", ["text a", "text b"]),
    ("{'a': 'text a', 'b': 'text b'}['b']", ["text b"]),
    ("{'a': 'text a'}.get(x, 'other')", ["text a", "other"]),
    ("x or 'default'", ["default"]),
    ("message if message is not None else 'default'", ["default"]),
]


@pytest.mark.parametrize(("expression", "expected"), ALTERNATIVES)
def test_each_alternative_is_a_wording(expression, expected):
    assert templates(f"def f(x):\n    raise ValueError({expression})") == expected


LOCALS = [
    ("msg = 'assigned'\nraise E(msg)", ["assigned"]),
    ("msg = 'a %s'\nraise E(msg % x)", ["a {0}"]),
    ("msg = 'old'\nmsg = 'new'\nraise E(msg)", ["new"]),
    ("msg: str = 'typed'\nraise E(msg)", ["typed"]),
    ("a, msg = 1, 'paired'\nraise E(msg)", ["paired"]),
    ("if x:\n    msg = 'a'\nelse:\n    msg = 'b'\nraise E(msg)", ["a", "b"]),
    ("if x:\n    msg = 'a'\nelif y:\n    msg = 'b'\nelse:\n    msg = 'c'\nraise E(msg)", ["a", "b", "c"]),
    ("msg = 'a'\nif x:\n    msg = 'b'\nraise E(msg)", ["a", "b"]),
    ("msg = 'gone'\nif x:\n    msg = 'a'\nelse:\n    msg = 'b'\nraise E(msg)", ["a", "b"]),
    ("if x:\n    msg = 'a'\n    return msg\nmsg = 'b'\nraise E(msg)", ["b"]),
    ("msg = 'b'\nif x:\n    msg = 'a'\n    return msg\nraise E(msg)", ["b"]),
    ("if x:\n    msg = 'a'\nelse:\n    return\nraise E(msg)", ["a"]),
    ("if x:\n    msg = 'a'\n    raise E(msg)", ["a"]),
    ("if x:\n    msg = 'a'\nelse:\n    msg = 'b'\n    raise E(msg)", ["b"]),
    ("msg = 'a'\nmsg += ' b'\nraise E(msg)", ["a b"]),
    ("msg = 'a'\nif x:\n    msg += ' b'\nraise E(msg)", ["a", "a b"]),
    ("msg = 'a'\nmsg += f' {x}'\nraise E(msg)", ["a {x}"]),
    ("msg = 'a'\nmsg = msg + ' b'\nraise E(msg)", ["a b"]),
    ("for y in x:\n    msg = f'bad {y}'\n    raise E(msg)", ["bad {y}"]),
    ("msg = 'none'\nfor y in x:\n    msg = 'some'\nraise E(msg)", ["none", "some"]),
    ("while True:\n    msg = 'in loop'\n    break\nraise E(msg)", ["in loop"]),
    ("try:\n    msg = 'a'\nexcept OSError:\n    msg = 'b'\nraise E(msg)", ["a", "b"]),
    ("try:\n    msg = 'a'\n    g()\nexcept OSError:\n    raise E(msg)", ["a"]),
    ("try:\n    g()\nexcept OSError:\n    msg = 'a'\nelse:\n    return\nraise E(msg)", ["a"]),
    ("with x:\n    msg = 'a'\nraise E(msg)", ["a"]),
    ("match x:\n    case 1:\n        msg = 'a'\n    case _:\n        msg = 'b'\nraise E(msg)", ["a", "b"]),
    ("texts = {'k': 'one', 'l': 'two'}\nraise E(texts['l'])", ["two"]),
    ("def g():\n    raise E(msg)\nmsg = 'of the function around'\ng()", ["of the function around"]),
    ("parts = ['a', 'b']\nraise E(' '.join(parts))", ["a b"]),
    ("err = E('built above')\nerr.code = 3\nraise err", ["built above"]),
    ("if x:\n    err = E('a')\nelse:\n    err = E('b')\nraise err", ["a", "b"]),
    ("cls = E\nraise cls('by a name')", ["by a name"]),
    ("raise E('a') if x else E('b')", ["a", "b"]),
    ("raise (E if x else F)('same text')", ["same text"]),
    ("raise E('a').with_traceback(None)", ["a"]),
    ("raise E(message='by keyword')", ["by keyword"]),
    ("raise E(x, 'second argument')", ["second argument"]),
    ("raise E('not %s, but %s', x, y)", ["not {0}, but {1}"]),
    ("raise E('not %(a)s', params={'a': 1})", ["not {a}"]),
    ("raise E('50%s', x, y)", ["50%s"]),
    ("raise E(x.y + ' is odd')", ["{x.y} is odd"]),
    ("raise E('a') from None", ["a"]),
    ("raise OSError(errno.ENOENT, 'no such thing')", ["no such thing"]),
    ("raise E(x, 'code')", []),
    ("msg = 'a %s'\nmsg %= x\nraise E(msg)", ["a {0}"]),
    ("texts = {'k': 'one', 'l': 'two', 'm': 'three'}\nraise E(texts['l' if x else 'k'])", ["two", "one"]),
    ("texts = {'k': 'one', 'l': 'two', 'm': 'three'}\nkey = 'm'\nraise E(texts[key])", ["three"]),
    ("raise E(*x)", []),
    ("raise E(x)", []),
    ("raise E(f'{x}')", []),
    ("raise E", []),
    ("raise E()", []),
    ("raise E(3)", []),
    ("raise x", []),
    ("raise x.error", []),
]


@pytest.mark.parametrize(("body", "expected"), LOCALS)
def test_follows_locals_on_the_paths_that_reach_the_site(body, expected):
    lines = "\n".join("    " + line for line in body.splitlines())
    assert templates(f"def f(x, y):\n{lines}\n") == expected


def test_the_default_of_a_parameter_is_one_of_its_texts():
    (site,) = sites_of("def f(x, msg='by default'):\n    raise E(msg)")
    assert (site.text, [wording.template for wording in site.wordings]) == ("partly", ["by default"])


def test_text_is_partly_known_where_a_path_brings_no_words():
    (site,) = sites_of("def f(x):\n    raise E('known' if x else x)")
    assert (site.text, [wording.template for wording in site.wordings]) == ("partly", ["known"])


def test_wordings_have_a_bound():
    source = "raise E(" + " + ".join(f"('a{n}' if x else 'b{n}')" for n in range(10)) + ")"
    assert len(templates(source)) == 16
