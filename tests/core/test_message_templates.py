import pytest

from errorkb.core.message_templates import (
    Part,
    TemplateError,
    align_message,
    canonical_template,
    make_template,
    parse_message,
    parse_template,
)


@pytest.mark.parametrize(
    ("message", "placeholders", "template"),
    [
        ("Invalid JSON {", None, "Invalid JSON {{"),
        ("/v1/models ${response.status}", None, "/v1/models ${{response.status}}"),
        ("/v1/models ${response.status}", "js", "/v1/models {response.status}"),
        ("a { b ${f({x: '}'})} c }", "js", "a {{ b {0} c }}"),
        ("Model class %s doesn't declare %r", "percent", "Model class {0} doesn't declare {1}"),
        ("%(model)s has 100%% of %(n)05.2f", "percent", "{model} has 100% of {n}"),
        ("50% off", "percent", "50{0}ff"),
        ("100% sure %-10s|%*d", "percent", "100{0}ure {1}|{2}"),
        ("{} of {!r:>10}", "brace", "{0} of {1}"),
        ("{name.attr!s} {{literal}} {0}", "brace", "{name.attr} {{literal}} {0}"),
        ("{x!r} {len(y)} {z} {a if b != c else d}", "fstring", "{x} {0} {z} {1}"),
        ("{x=} { y = !r:>5} {f(a == b)=}", "fstring", "x={x}  y = {y} f(a == b)={0}"),
        ("{d['}']} end", "fstring", "{0} end"),
        ("got %v: %+v %w %%", "go", "got {0}: {1} {2} %"),
        ("{:?} of {name:>5} {}", "rust", "{0} of {name} {1}"),
        ("", "percent", ""),
    ],
)
def test_makes_the_canonical_template_of_a_message(message, placeholders, template):
    assert canonical_template(message, template=None, placeholders=placeholders) == template


def test_a_given_template_wins():
    assert canonical_template("m %s", template="m {who}", placeholders="percent") == "m {who}"


@pytest.mark.parametrize("message", ["a {", "a }", "{ {a}", "{'"])
def test_refuses_braces_that_do_not_close(message):
    with pytest.raises(TemplateError, match="column"):
        parse_message(message, "brace")


@pytest.mark.parametrize("template", ["{}", "a {b", "}", "{{}"])
def test_refuses_templates_that_are_not_canonical(template):
    with pytest.raises(TemplateError, match="column"):
        parse_template(template)


@pytest.mark.parametrize("template", ["", "plain", "a {0} b", "{{}} {name}{x}", "${{response.status}}"])
def test_a_template_comes_out_as_it_went_in(template):
    assert make_template(parse_template(template)) == template


def test_keeps_placeholders_as_the_source_has_them():
    assert parse_message("a %s!", "percent") == (Part("a ", "a "), Part("%s", slot="0"), Part("!", "!"))


@pytest.mark.parametrize(
    ("message", "template", "slots"),
    [
        ("Model $m of $n!", "Model {a} of {b}!", ["$m", "$n"]),
        ("tail <x>", "tail {a}", ["<x>"]),
        ("<x> head", "{a} head", ["<x>"]),
        ("same", "same", []),
        ("other", "same", []),
        ("same and more", "same", []),
    ],
)
def test_aligns_a_message_with_a_template_given_beside_it(message, template, slots):
    parts = align_message(message, template)
    assert "".join(part.source for part in parts) == message
    assert [part.source for part in parts if part.slot is not None] == slots


@pytest.mark.parametrize(
    "text", ["{" * 50_000, "%(" * 50_000, "${" * 50_000, "{}" * 25_000, "}" * 50_000, "%" + "0" * 50_000 + "!"]
)
@pytest.mark.parametrize("placeholders", ["percent", "brace", "js", "go", "rust", "fstring"])
def test_hostile_messages_end_in_linear_time(text, placeholders):
    try:
        parse_message(text, placeholders)
    except TemplateError:
        pass


@pytest.mark.parametrize("text", ["%s" * 300_000, "{{" * 300_000])
def test_refuses_more_parts_than_any_message_has(text):
    with pytest.raises(TemplateError, match="at most 200000"):
        parse_message(text, "percent") if "%" in text else parse_template(text)
