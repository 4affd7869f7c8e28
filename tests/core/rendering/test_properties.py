"""What holds for every text, tried on texts that are mostly syntax."""

from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.rendering import expose_controls, render_inline, render_markdown, render_plain, unfold_code
from tests.core.rendering.reading import Page, faults_of, text_of

# Never syntax, wherever they stand; so they come out in the order in which they went in.
NEVER_SYNTAX = frozenset("abcxyzABC中文é_&;@$%^{},?\"'()\x02\x03\x0b\u202e\u2011")

SYNTAX = [
    *"*_`[]()<>#!&|~+-=:.\\\"' \n\t",
    *("\n\n", "  ", "    ", "\n- ", "\n  - ", "\n1. ", "\n> ", "\n# ", "\n```\n", "\n~~~ a\n", "\n---\n", "\n===\n"),
    *("**", "***", "``", "](", "![", "[a](", "| a |\n|---|\n", "|\n|-|-|\n", "\n>>> ", "  \n", "\\*", "\r\n", "* * *"),
    *("<b>", "</p>", "<script>", "<!--", "&lt;", "&#60;", "\x02klzzwxh:0000\x03", "\x02wzxhzdk:0\x03", "\x02amp\x03"),
]
ADDRESSES = ["http://", "https://a.b", "https://a.b/c_(d)", "<https://a.b>", "](https://a.b)", '](http://a "b")']
ADDRESSES += [
    "javascript:",
    "](javascript:a)",
    "](JAVASCRIPT&colon;",
    "data:text/html,",
    "mailto:a@b.c",
    "](mailto:a@b)",
]

WORDS = st.text("abcxyzABC中文é", min_size=1, max_size=4)
PLAIN = st.sampled_from(sorted(NEVER_SYNTAX))


def texts(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(*parts), max_size=40).map("".join)


ANY_TEXT = st.one_of(texts(st.sampled_from(SYNTAX + ADDRESSES), WORDS, PLAIN), st.text())


def kept(text: str) -> str:
    return "".join(character for character in text if character in NEVER_SYNTAX)


@given(ANY_TEXT)
def test_prose_is_harmless_html(text: str) -> None:
    for html in (render_markdown(text), render_inline(text), render_plain(text)):
        assert faults_of(html) == []


@given(texts(st.sampled_from(SYNTAX), WORDS, PLAIN))
def test_prose_without_links_keeps_every_character_that_is_not_syntax(text: str) -> None:
    assert kept(text_of(render_markdown(text))) == kept(text)
    assert kept(text_of(render_inline(text))) == kept(text)


@given(st.lists(st.tuples(st.sampled_from(SYNTAX + ADDRESSES), st.text("abcxyz", min_size=2)), max_size=30))
def test_prose_with_links_keeps_every_word(pairs: list[tuple[str, str]]) -> None:
    page = Page(render_markdown("".join(syntax + word for syntax, word in pairs)))
    assert [word for _, word in pairs if word not in page.everything] == []


@given(ANY_TEXT)
def test_plain_text_keeps_everything(text: str) -> None:
    assert text_of(render_plain(text)) == text.replace("\0", "\ufffd")


@given(ANY_TEXT)
def test_exposing_controls_changes_no_text(text: str) -> None:
    html = render_plain(text.replace("<", "").replace("&", ""))
    assert text_of(expose_controls(html)) == text_of(html)


@given(texts(st.sampled_from([r"\n", r"\t", r"\r\n", r"\\", "'", '"', '"""', "#", "//", "`", "C:", "\\"]), WORDS))
def test_unfolding_only_makes_newlines_and_tabs(code: str) -> None:
    def spelled(text: str) -> str:
        return text.replace("\n", r"\n").replace("\t", r"\t").replace(r"\r", "")

    assert spelled(unfold_code(code)) == spelled(code)
