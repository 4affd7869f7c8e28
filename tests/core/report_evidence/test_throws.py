"""What snippets throw: adjacent literals joined, in several languages, whole files or pieces of them."""

import pytest

from errorkb.core.report_evidence.throws import snippet_throws


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('raise ValueError("no room")', [("ValueError", "no room")]),
        ('raise ValueError(\n    "no "  # why\n    "room"\n)', [("ValueError", "no room")]),
        ('raise a.b.Error("no room for %s" % x)', [("a.b.Error", "no room for {0}")]),
        ('raise Error(f"no room for {x!r} in {y[0]}")', [("Error", "no room for {x} in {0}")]),
        ('raise Error("no " f"{x} here")', [("Error", "no {x} here")]),
        ('raise Error(_("no room"), code="full")', [("Error", "no room")]),
        ("raise Error('''no\nroom''')", [("Error", "no\nroom")]),
        ('raise Error("a \\"b\\" c")', [("Error", 'a "b" c')]),
        ('assert x, "x must be set"', [("AssertionError", "x must be set")]),
        ('warnings.warn("it is old")', [("", "it is old")]),
        ('logger.error("could not open %s", path)', [("", "could not open {0}")]),
        ("throw new TypeError(`bad ${x.y} here`);", [("TypeError", "bad {x.y} here")]),
        ('throw new TypeError("bad " + "name");', [("TypeError", "bad name")]),
        ('return fmt.Errorf("cannot open %s: %w", a, err)', [("", "cannot open {0}: {1}")]),
        ('panic!("no room for {x}")', [("", "no room for {x}")]),
        ("raise KeyError(name)", []),
        ("raise", []),
        ('print("raise ValueError")', []),
        ('        else:\n            raise Error("cut off"', [("Error", "cut off")]),
        ('if x:\\n    raise Error("one line")', [("Error", "one line")]),
        ("", []),
    ],
)
def test_reads_types_and_texts(code, found):
    assert [(throw.exception_type, throw.template) for throw in snippet_throws(code)] == found


def test_knows_the_function_that_begins_in_the_snippet():
    code = 'raise A("first")\ndef f(x):\n    raise B("second")\nasync def g():\n    raise C("third")\n'
    assert [throw.symbol for throw in snippet_throws(code)] == ["", "f", "g"]


def test_reads_a_patch_as_what_it_adds_and_takes_away():
    code = '@@ -1,3 +1,3 @@\n def f():\n-    raise A("old text")\n+    raise A("new text")\n     raise B("the same")\n'
    assert [(throw.change, throw.template) for throw in snippet_throws(code)] == [
        ("+", "new text"),
        ("-", "old text"),
        ("", "the same"),
    ]


@pytest.mark.parametrize("piece", ['raise X("', "raise X(a b ", 'raise X("a")\n', "def f\n", '"', "raise X('''"])
def test_reads_a_megabyte_of_anything(piece):
    assert len(snippet_throws(piece * (1_000_000 // len(piece)))) <= 200
