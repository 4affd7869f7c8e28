import pytest
from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.rendering import TOKEN_CLASSES, render_code
from errorkb.core.rendering.highlighting import MAX_BLANK, MAX_CODE, MAX_LINE, highlight
from errorkb.core.rendering.languages import LANGUAGES
from tests.core.rendering.reading import faults_of, text_of

EXOTIC = "\n\n  a = 'é\t😀' # <b>&amp;\r\n\x0b\u202e\ufeff\u2028中 \\ `\"${x}` {{ y }} <?php %}\n---\n$ ls\n  \n\n"


def test_highlights_python() -> None:
    assert render_code("raise ValueError(1)  # <no>", "python") == (
        '<span class="k">raise</span> <span class="ne">ValueError</span>(<span class="m">1</span>)'
        '  <span class="c"># &lt;no&gt;</span>'
    )


@pytest.mark.parametrize("language", [None, "", "no such language", "text", "brainfuck"])
def test_shows_unknown_languages_plain(language: str | None) -> None:
    assert render_code("if a < b:\n", language) == "if a &lt; b:\n"


@pytest.mark.parametrize(
    ("alias", "language"),
    [
        ("Python3", "python"),
        (" py ", "python"),
        ("golang", "go"),
        ("c++", "cpp"),
        ("C#", "csharp"),
        ("sh", "bash"),
        ("yml", "yaml"),
        ("Dockerfile", "docker"),
        ("makefile", "make"),
        ("html+django", "django"),
        ("ts", "typescript"),
    ],
)
def test_knows_other_names_of_a_language(alias: str, language: str) -> None:
    code = 'import x\nRUN a ; # "b" {% if c %}\n'
    assert highlight(code, alias) == highlight(code, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["", "\n", "x", "\n\n x \n\n", "a\r\nb\rc", EXOTIC, EXOTIC * 20, EXOTIC.strip()])
def test_every_language_keeps_the_code_as_it_is(language: str, code: str) -> None:
    html = render_code(code, language)
    assert text_of(html) == code
    assert faults_of(html) == []


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "def f():\n    return 1\n"),
        ("pycon", ">>> f()\n1"),
        ("pytb", 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1'),
        ("javascript", "const a = 1;"),
        ("typescript", "let a: number = 1;"),
        ("jsx", "const a = <b>1</b>;"),
        ("tsx", "const a = <b>1</b>;"),
        ("go", "func f() {}"),
        ("rust", "fn f() {}"),
        ("java", "class A {}"),
        ("kotlin", "fun f() {}"),
        ("scala", "def f = 1"),
        ("c", "int f(void);"),
        ("cpp", "int f();"),
        ("cuda", "__global__ void f();"),
        ("csharp", "class A {}"),
        ("swift", "func f() {}"),
        ("php", "echo 1;"),
        ("ruby", "def f; end"),
        ("lua", "local a = 1"),
        ("bash", "if true; then echo 1; fi"),
        ("console", "$ ls\na"),
        ("json", '{"a": 1}'),
        ("yaml", "a: 1"),
        ("toml", "a = 1"),
        ("ini", "[a]\nb = 1"),
        ("html", "<a href='b'>c</a>"),
        ("xml", "<a b='c'/>"),
        ("css", "a { color: red }"),
        ("sql", "SELECT 1"),
        ("diff", "-a\n+b"),
        ("docker", "FROM a"),
        ("make", "a: b\n\tc $(d)"),
        ("django", "{% if a %}"),
    ],
)
def test_every_language_is_coloured(language: str, code: str) -> None:
    classes = {name for name, _ in highlight(code, language)}
    assert classes - {""}
    assert classes <= TOKEN_CLASSES | {""}


@pytest.mark.parametrize(
    "code",
    [
        "x = 1\n" * (MAX_CODE // 6 + 1),
        f"x = '{'a' * MAX_LINE}'",
        f"x = 1{' ' * (MAX_BLANK // 2)}{chr(10) * (MAX_BLANK // 2 + 1)}y = 2",
    ],
)
def test_code_out_of_bounds_is_plain(code: str) -> None:
    assert highlight(code, "python") == [("", code)]


def test_code_within_bounds_is_coloured() -> None:
    code = "x = 1\n" * (MAX_CODE // 6)
    assert len(highlight(code, "python", clock=lambda: 0.0)) > 10_000


def test_gives_a_lexer_up_when_its_time_is_over() -> None:
    ticks = iter([0.0, 0.0, 0.4, 0.6])
    code = "x = 1\n" * 100
    assert highlight(code, "python", clock=lambda: next(ticks)) == [("", code)]


def test_exposes_controls_and_spells_carriage_returns_out() -> None:
    assert render_code("a\r\n\x1b", None) == 'a&#13;\n<bdi class="ctrl" title="U+001B ESCAPE">\x1b</bdi>'


def test_replaces_what_html_cannot_hold() -> None:
    assert render_code("a\0\udc80b", "python") == render_code("a\ufffd\ufffdb", "python")


@given(st.text(max_size=200), st.sampled_from(LANGUAGES))
def test_no_code_is_lost_or_let_loose(code: str, language: str) -> None:
    html = render_code(code, language)
    assert text_of(html) == code.replace("\0", "\ufffd")
    assert faults_of(html) == []
