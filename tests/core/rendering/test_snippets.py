import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.rendering import Snippet, SnippetLine, render_snippet
from tests.core.rendering.reading import faults_of, text_of

TWELVE = "\n".join(f"x{number}" for number in range(1, 13))


def numbers(snippet: Snippet, flag: str) -> list[int]:
    return [line.number for line in snippet.lines if getattr(line, flag)]


@pytest.mark.parametrize(
    ("line", "end_line", "context", "marked", "near"),
    [
        (106, None, 2, [106], [104, 105, 106, 107, 108]),
        (106, 108, 1, [106, 107, 108], [105, 106, 107, 108, 109]),
        (101, None, 2, [101], [101, 102, 103]),
        (112, None, 2, [112], [110, 111, 112]),
        (98, 102, 1, [101, 102], [101, 102, 103]),
        (111, 500, 1, [111, 112], [110, 111, 112]),
        (106, 103, 1, [106], [105, 106, 107]),
        (106, None, 0, [106], [106]),
        (106, None, 6, [106], list(range(101, 113))),
        (None, None, 2, [], list(range(101, 113))),
        (None, 105, 2, [], list(range(101, 113))),
        (90, None, 2, [], list(range(101, 113))),
        (113, 120, 2, [], list(range(101, 113))),
        (10**12, None, 2, [], list(range(101, 113))),
        (1, 10**12, 2, list(range(101, 113)), list(range(101, 113))),
    ],
)
def test_marks_lines_and_tells_near_ones_apart(
    line: int | None, end_line: int | None, context: int, marked: list[int], near: list[int]
) -> None:
    snippet = render_snippet(TWELVE, start_line=101, line=line, end_line=end_line, language=None, context=context)
    assert [each.number for each in snippet.lines] == list(range(101, 113))
    assert numbers(snippet, "marked") == marked
    assert numbers(snippet, "near") == near
    assert snippet.has_far == (len(near) < 12)


def test_closes_and_opens_a_token_at_each_line() -> None:
    snippet = render_snippet('"""a\n\nb"""', start_line=5, line=6, end_line=None, language="python")
    assert snippet == Snippet(
        lines=(
            SnippetLine(number=5, html='<span class="sd">"""a</span>', marked=False, near=True),
            SnippetLine(number=6, html="", marked=True, near=True),
            SnippetLine(number=7, html='<span class="sd">b"""</span>', marked=False, near=True),
        ),
        has_far=False,
    )


def test_lines_after_the_ten_thousandth_belong_to_it() -> None:
    snippet = render_snippet("a\n" * 12_000, start_line=1, line=10_001, end_line=None, language=None)
    assert len(snippet.lines) == 10_000
    assert snippet.lines[-1].html == "a\n" * 2_001
    assert numbers(snippet, "marked") == []


def test_cannot_be_changed() -> None:
    snippet = render_snippet("a", start_line=1, line=None, end_line=None, language=None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        snippet.has_far = True  # type: ignore[misc]


@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")), st.sampled_from(["python", "html", None])
)
def test_lines_joined_are_the_code(code: str, language: str | None) -> None:
    snippet = render_snippet(code, start_line=1, line=1, end_line=2, language=language)
    assert "\n".join(text_of(line.html) for line in snippet.lines) == code
    assert [fault for line in snippet.lines for fault in faults_of(line.html)] == []
