"""Reports in `tests/samples/reports` against documents worked out by hand, and what is refused."""

import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

import pytest

from errorkb.core.documents import PullRequestDocument, validate_document
from errorkb.core.pr_reports import ReportError, looks_like_report, parse_report

SAMPLES = Path(__file__).parent.parent / "samples" / "reports"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.md"))
TITLE = "# PR #5 full report\n"
HEAD = TITLE + "\n- Repository: acme/rocket\n\n"


def read_report(name: str) -> str:
    return (SAMPLES / f"{name}.md").read_bytes().decode()


def read_document(name: str) -> dict[str, object]:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def parsed(body: str) -> dict[str, object]:
    return parse_report(HEAD + body)


def report_of(body: str) -> dict[str, object]:
    report = parsed(body)["report"]
    assert isinstance(report, dict)
    return report


@pytest.mark.parametrize("name", NAMES)
def test_parses_a_sample_to_its_document(name: str) -> None:
    assert parse_report(read_report(name)) == read_document(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_a_valid_document(name: str) -> None:
    validate_document(PullRequestDocument, parse_report(read_report(name)))


def test_there_are_enough_samples() -> None:
    assert len(NAMES) >= 13


SAME_AS_THE_SEED: dict[str, Callable[[str], str]] = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "cr": lambda text: text.replace("\n", "\r"),
    "byte order mark": lambda text: "\ufeff" + text,
    "blank lines around": lambda text: f"\n\n{text}\n\n\n",
    "no rule": lambda text: text.replace("---\n", ""),
    "star bullets": lambda text: text.replace("\n- ", "\n* "),
    "no metadata bullets": lambda text: text.replace("- 仓库", "仓库").replace("- 标题", "标题").replace("- 合", "合"),
    "all headings deeper": lambda text: text.replace("\n# ", "\n### ").replace("\n## ", "\n##### "),
    "all headings at one level": lambda text: text.replace("\n## ", "\n# ").replace("\n### ", "\n# "),
    "longer fences": lambda text: text.replace("```", "``````"),
    "tildes": lambda text: text.replace("```", "~~~"),
    "closing marks": lambda text: text.replace("# 执行摘要", "# 执行摘要 #").replace("# 实现拆解", "# 实现拆解  ##"),
    "numbered headings": lambda text: text.replace("# 执行摘要", "# 1. 执行摘要：").replace("# 风险", "# 六、风险"),
    "bold labels": lambda text: text.replace("一句话：", "**一句话**：").replace("- 风险：", "- **风险：**"),
    "half-width colons": lambda text: text.replace("仓库：", "仓库: ").replace("风险标记：", "风险标记: "),
    "half-width facts": lambda text: text.replace("（模块", "(模块").replace("send_kvcache）", "send_kvcache)"),
    "full-width topic": lambda text: text.replace(" (other): ", "（other）："),
    "title not given in English": lambda text: text.replace("（上下文未提供标题）", "(title not given)"),
    "every section twice": lambda text: text + "\n" + text[text.index("# 执行摘要") :],
    "trailing spaces behind headings": lambda text: text.replace("# 功能与动机\n", "# 功能与动机  \t\n"),
}


@pytest.mark.parametrize("change", SAME_AS_THE_SEED.values(), ids=SAME_AS_THE_SEED.keys())
def test_a_change_of_form_leaves_the_seeds_document_as_it_is(change: Callable[[str], str]) -> None:
    changed = change(read_report("seed"))

    assert changed != read_report("seed")
    assert parse_report(changed) == read_document("seed")


def test_sections_may_stand_in_any_order() -> None:
    head, *sections = read_report("seed").split("\n# ")
    backwards = "\n\n# ".join([head, *reversed(sections)])

    assert parse_report(backwards) == read_document("seed")


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("# 执行摘要", "summary"),
        ("###### 执 行 摘 要", "summary"),
        ("## 🚀 Executive Summary:", "summary"),
        ("## **EXECUTIVE SUMMARY**", "summary"),
        ("## 1.2 Executive summary", "summary"),
        ("## 1️⃣ Executive summary", "summary"),
        ("## Ｅｘｅｃｕｔｉｖｅ　ｓｕｍｍａｒｙ：", "summary"),
        ("## Executive summary（执行摘要）", "summary"),
        ("##执行摘要", "summary"),
        ("＃ 执行摘要", "summary"),
        ("## 第二部分 功能与动机", "motivation"),
        ("## II. Motivation", "motivation"),
        ("## 风险", "risk"),
        ("## Impact 💥", "impact"),
        ("## Recommendation", "recommendation"),
    ],
)
def test_recognises_a_heading_however_it_is_dressed(heading: str, field: str) -> None:
    assert report_of(f"{heading}\n\nWords.\n")[field] == "Words."


@pytest.mark.parametrize(
    "heading",
    ["## Executive summary of the year", "#执行", "####### Words", "## 执行摘要 Motivation", "    # Motivation"],
)
def test_takes_no_other_heading_for_a_section(heading: str) -> None:
    assert not {"summary", "motivation"} & report_of(f"{heading}\n\nWords.\n").keys()


@pytest.mark.parametrize(
    ("title", "number", "repository"),
    [
        ("# PR #33523 完整报告", 33523, None),
        ("# PR #33523 full report", 33523, None),
        ("## Pull request 33523: report", 33523, None),
        ("# pr#33523 报告", 33523, None),
        ("# PR ＃33523 完整分析报告", 33523, None),
        ("# Full report on PR #33523", 33523, None),
        ("# 完整报告：other/project#33523", 33523, "other/project"),
        ("# other/project PR #33523 full report", 33523, "other/project"),
        ("PR #33523 full report\n=====", 33523, None),
    ],
)
def test_reads_the_top_heading(title: str, number: int, repository: str | None) -> None:
    named = "" if repository else "- Repository: acme/rocket\n"
    document = parse_report(f"{title}\n\n{named}")

    assert document["number"] == number
    assert document["repository"] == (repository or "acme/rocket")


@pytest.mark.parametrize(
    "number",
    [
        "Number: 7",
        "编号：#7",
        "PR: `#7`",
        "PR：https://github.com/acme/rocket/pull/7",
        "Pull request: [#7](https://x.org/7)",
    ],
)
def test_reads_the_number_from_the_list(number: str) -> None:
    assert parse_report(f"- Repository: acme/rocket\n- {number}\n\n# Motivation\n")["number"] == 7


def test_takes_the_title_from_the_top_heading_where_no_other_line_has_it() -> None:
    document = parse_report("# PR #5: Fix the fuse\n- Repository: acme/rocket\n")

    assert document["title"] == "Fix the fuse"


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("2026-08-05 09:54", "2026-08-05T09:54"),
        ("2026-08-05T09:54", "2026-08-05T09:54"),
        ("`2026-08-05 09:54:01`", "2026-08-05T09:54:01"),
        ("2026-08-05 09:54:01.250Z", "2026-08-05T09:54:01.250Z"),
        ("2026-08-05 09:54 UTC", "2026-08-05T09:54Z"),
        ("2026-08-05 09:54 +0800", "2026-08-05T09:54+08:00"),
        ("2026-08-05 09:54 (UTC-3)", "2026-08-05T09:54-03:00"),
        ("2026/8/5 9：54", "2026-08-05T09:54"),
        ("2026年8月5日09:54 北京时间", "2026-08-05T09:54+08:00"),
        ("2026-08-05", "2026-08-05"),
        ("not merged", None),
        ("未合并", None),
        ("-", None),
    ],
)
def test_normalises_the_merge_time(stated: str, expected: str | None) -> None:
    assert parsed(f"- Merged at: {stated}\n").get("merged_at") == expected


@pytest.mark.parametrize(
    ("repository", "url"),
    [
        ("acme/rocket", "https://github.com/acme/rocket/pull/5"),
        ("gitlab.com/acme/tools/rocket", "https://gitlab.com/acme/tools/rocket/-/merge_requests/5"),
        ("git.example.org/acme/rocket", None),
    ],
)
def test_the_address_follows_from_repository_and_number(repository: str, url: str | None) -> None:
    assert parse_report(f"# PR #5 report\n- Repository: {repository}\n").get("url") == url


@pytest.mark.parametrize(
    ("headings", "language"),
    [
        (["执行摘要", "Motivation", "实现拆解"], "zh-hans"),
        (["执行摘要", "Motivation", "Implementation"], "en"),
        (["执行摘要", "Motivation"], "zh-hans"),
        (["Motivation", "执行摘要"], "en"),
        (["Something else"], "en"),
    ],
)
def test_the_language_is_that_of_most_headings(headings: list[str], language: str) -> None:
    assert report_of("".join(f"## {heading}\n\nx\n\n" for heading in headings))["language"] == language


def test_keeps_a_shell_comment_in_a_fence_as_code() -> None:
    report = report_of("## Motivation\n\n````\n# Implementation\n```\n# Risk and impact\n````\n")

    assert report == {"language": "en", "motivation": "````\n# Implementation\n```\n# Risk and impact\n````"}


def test_a_fence_that_is_never_closed_ends_before_the_next_known_heading() -> None:
    report = report_of("## Key source snippets\n\n### a.py\n\n```\nx\n# y\n\n## Motivation\n\nWords.\n")

    assert report["snippets"] == [{"path": "a.py", "code": "x\n# y"}]
    assert report["motivation"] == "Words."


@pytest.mark.parametrize(
    ("fenced", "code"),
    [
        ("```\nx\n```", "x"),
        ("```\nx\n\n```", "x\n"),
        ("```\n\n\tx  \n```", "\n\tx  "),
        ("```\n```", ""),
        ("  ```\n  x\n    y\n z\n  ```", "x\n  y\nz"),
        ("```\nx\n``\n```", "x\n``"),
        ("```\n       ```\n```", "       ```"),
        ("~~~~\n```\n~~~\n~~~~~", "```\n~~~"),
    ],
)
def test_keeps_code_verbatim(fenced: str, code: str) -> None:
    report = report_of(f"## Key source snippets\n\n### a.py\n\n{fenced}\n")

    assert report["snippets"] == [{"path": "a.py", "code": code}]


@pytest.mark.parametrize(
    ("item", "topic"),
    [
        ("Title (kind): note", {"title": "Title", "kind": "kind", "note": "note"}),
        ("标题（设计）：说明", {"title": "标题", "kind": "设计", "note": "说明"}),
        ("**Title** (kind): note", {"title": "Title", "kind": "kind", "note": "note"}),
        ("**Title (kind)**: note", {"title": "Title", "kind": "kind", "note": "note"}),
        ("**Title (kind):** note", {"title": "Title", "kind": "kind", "note": "note"}),
        ("**Title:** note", {"title": "Title", "note": "note"}),
        ("Title (a) (kind): note (b): more", {"title": "Title (a)", "kind": "kind", "note": "note (b): more"}),
        ("`a::b` at 09:54 (kind)", {"title": "`a::b` at 09:54", "kind": "kind"}),
        ("Title", {"title": "Title"}),
        (
            "Title (kind): note\n\n  goes on\n  - here",
            {"title": "Title", "kind": "kind", "note": "note\n\ngoes on\n- here"},
        ),
    ],
)
def test_reads_a_topic_of_the_discussion(item: str, topic: dict[str, str]) -> None:
    assert report_of(f"## Review discussion\n\n- {item}\n")["discussion"] == {"topics": [topic]}


@pytest.mark.parametrize(
    ("body", "report"),
    [
        ("## Executive summary\n\nOne.\n\nTwo.\n", {"summary": "One.\n\nTwo."}),
        (
            "## Executive summary\n\n- One line: a\n\nTwo.\n",
            {"summary": "a", "sections": [("Executive summary", "Two.")]},
        ),
        (
            "## Risk and impact\n\n风险：a\n影响：b\n风险标记：c，d\n",
            {"risk": "a", "impact": "b", "risk_flags": ["c", "d"]},
        ),
        ("## Risk and impact\n\n- Risk:\n  - a\n  - b\n- Impact: c\n", {"risk": "- a\n- b", "impact": "c"}),
        ("## Risk\n\na\n\n### Impact\n\n- b\n- c\n", {"risk": "a", "impact": "- b\n- c"}),
        ("## Motivation\n\na\n\n    # Risk\n    b\n", {"motivation": "a\n\n    # Risk\n    b"}),
        ("## Motivation\n\n| a |\n|---|\n| b |\n\n> c\n", {"motivation": "| a |\n|---|\n| b |\n\n> c"}),
        ("## Motivation\n\na\n\n---\n\nb\n", {"motivation": "a\n\nb"}),
        ("## Motivation\n\n### 1. Why\n\na\n", {"motivation": "### 1. Why\n\na"}),
        ("## Key symbols\n\n- `a`\n- b\n", {"key_symbols": ["a", "b"]}),
        ("## Implementation\n\nKey symbols: none\n", {}),
        ("## Related pull requests\n\nNone.\n", {"sections": [("Related pull requests", "None.")]}),
        ("## Motivation\n\n## Notes\n", {"sections": [("Notes", "")]}),
    ],
)
def test_reads_a_section(body: str, report: dict[str, object]) -> None:
    found = report_of(body)
    if "sections" in found:
        found["sections"] = [(section["heading"], section["body"]) for section in found["sections"]]

    assert found == {"language": "en", **report}


def random_report(random: Random) -> str:
    """Return a report whose lines are put together at random, each with words of its own."""
    words = (f"word{number}z" for number in count())

    def text() -> str:
        marks = ["", ":", "：", ",", "、", " (x)", "（y）", " `z`", " **b**", " [l](u)", "；"]
        return " ".join(next(words) + random.choice(marks) for _ in range(random.randint(1, 4)))

    lines: list[Callable[[], str]] = [
        lambda: "",
        lambda: "#" * random.randint(1, 6) + " " + random.choice([*HEADINGS, text()]),
        lambda: f"### `{next(words)}.py`",
        lambda: random.choice(["- ", "", "1. "]) + random.choice(LABELLED) + random.choice([text(), ""]),
        lambda: f"- `{next(words)}.py`（模块 {next(words)}；符号 {next(words)}、{next(words)}）: {text()}",
        lambda: f"- PR #{random.randint(1, 999)} {text()}: {text()}",
        lambda: f"- {text()} ({next(words)}): {text()}",
        lambda: random.choice(["", "- ", "  - ", "    ", "2) "]) + text(),
        lambda: "\n".join(["```c", f"# {text()}", text(), random.choice(["```", ""])]),
        lambda: "---",
    ]
    return HEAD + "\n".join(random.choice(lines)() for _ in range(random.randint(5, 30)))


HEADINGS = [
    "执行摘要",
    "Motivation",
    "实现拆解",
    "Key files",
    "关键源码片段",
    "Review discussion",
    "风险与影响",
    "Related PRs",
]
LABELLED = [
    "一句话：",
    "Recommendation: ",
    "关键文件：",
    "Key symbols: ",
    "风险: ",
    "Impact：",
    "风险标记：",
    "Introduced by: ",
]


@pytest.mark.parametrize("seed", range(300))
def test_loses_no_word_of_a_report(seed: int) -> None:
    text = random_report(Random(seed))

    kept = set(re.findall(r"word\d+z", json.dumps(parse_report(text))))

    assert kept == set(re.findall(r"word\d+z", text))


def test_a_report_of_a_thousand_files() -> None:
    paths = [f"pkg/module_{number}.py" for number in range(1000)]
    files = "".join(f"- `{path}`（模块 m；符号 f）: Note on {path}\n" for path in paths)
    snippets = "".join(f"### `{path}`\n\nNote on {path}\n\n```python\nx\n\n```\n\n" for path in paths)

    report = report_of(f"## 实现拆解\n\n关键文件：\n{files}\n## 关键源码片段\n\n{snippets}")

    assert report["key_files"] == [
        {"path": path, "module": "m", "symbols": ["f"], "note": f"Note on {path}"} for path in paths
    ]
    assert report["snippets"] == [
        {"path": path, "language": "python", "note": f"Note on {path}", "code": "x\n"} for path in paths
    ]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "expected a pull request report"),
        ("Hello.\n\nThis is a letter.\n", 1, "expected a pull request report"),
        ("# Read me\n\nNothing to see.\n", 1, "expected a pull request report"),
        ('{"schema_version": "1.0"}', 1, "expected a pull request report"),
        ("```\n# PR #5 full report\n- Repository: a/b\n```\n", 1, "expected a pull request report"),
        ("\n# PR #5 full report\n", 2, "found no repository"),
        ("- Repository: a/b\n\n# Motivation\n", 1, "found no number"),
        ("# Motivation\n\nWords.\n", 1, "found no number"),
        (
            "# A title\n\n- Repository: `a/b`\n\n## Motivation\n",
            1,
            "top heading such as '# PR #7 完整报告' or '# PR #7 full",
        ),
        ("# A title\n\n- Repository: `a/b`\n\n## Motivation\n", 1, "found no number"),
        ("# A title\n\n- Repository: `a/b`\n- Number: 7\n\n## Motivation\n", 1, "'- Number: 7' before any heading"),
        (TITLE + "- Repository: a\n", 2, "repository: expected a repository such as owner/name"),
        (TITLE + "- Repository: ../b\n", 2, "repository: expected"),
        (TITLE + "- Repository: a/b c\n", 2, "repository: expected"),
        (TITLE + "- Repository: a/b\n- Repository: a/c\n", 3, "expected one value, found 'a/c' after 'a/b'"),
        ("# PR #0 full report\n- Repository: a/b\n", 1, "number: expected"),
        ("# PR #4294967296 full report\n- Repository: a/b\n", 1, "number: expected"),
        (f"# PR #{'9' * 90} full report\n- Repository: a/b\n", 1, "number: expected"),
        (TITLE + "- Repository: a/b\n- Number: 6\n", 3, "expected one value, found '6' after '5'"),
        (TITLE + "- 仓库：a/b\n- 合并时间：昨天\n", 3, "merged_at: expected a time such as"),
        (TITLE + "- Repository: a/b\n\n- Merged at: 2026-02-30\n", 4, "merged_at: expected"),
        (TITLE + "- Repository: a/b\n- Merged at: 2026-02-03 25:00\n", 3, "merged_at: expected"),
        (TITLE + "- Repository: a/b\n- Merged at: 2026-02-03 04:05 CST\n", 3, "merged_at: expected"),
        (TITLE + "- Repository: a/b\n- Source URL: javascript:alert(1)\n", 3, "source_url: expected an http"),
        (TITLE + "- Repository: a/b\n- Merge commit: HEAD\n", 3, "merge_commit: expected a commit"),
        ("# PR #5 full report\r\n- Repository: a/b\r\n\r\nN\x00L\r\n", 4, "found a NUL character"),
        (TITLE + "- Repository: a/b\n- Title: \ud83d\n", 3, "found a lone surrogate"),
    ],
)
def test_refuses_with_the_line_and_what_was_expected(text: str, line: int, expected: str) -> None:
    with pytest.raises(ReportError) as caught:
        parse_report(text)

    assert expected in caught.value.message
    assert caught.value.line == line
    assert str(caught.value) == f"line {line}: {caught.value.message}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# PR #5 full report\n", True),
        ("\ufeff\r\n\r\n# PR #5 完整报告\r\n", True),
        ("# Any other heading\n", True),
        ("- 仓库：`a/b`\n", True),
        ("**Repository:** a/b\n", True),
        ("Some words first.\n\n## Executive summary\n", True),
        ("[badge](https://example.org)\n\n# PR #5 full report\n", True),
        (" " * 100_000 + "\n# PR #5 full report\n", True),
        ("", False),
        ("  \n", False),
        ("Just words.\n", False),
        ('{"repository": "a/b"}', False),
        ('\ufeff {\n"repository": "a/b"}', False),
        ('[\n{\n"repository": "a/b",\n"title": "# Motivation"}]', False),
        ('"Repository"', False),
        ("null", False),
        ("12", False),
    ],
)
def test_tells_a_report_from_json(text: str, expected: bool) -> None:
    assert looks_like_report(text) is expected


@pytest.mark.parametrize("name", NAMES)
def test_samples_look_like_reports_and_documents_do_not(name: str) -> None:
    assert looks_like_report(read_report(name))
    assert not looks_like_report((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
