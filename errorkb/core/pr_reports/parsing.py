"""Core, pull request reports: from a report's text to the pull request document, and telling a report from JSON."""

import re
from collections import Counter

from errorkb.core.forges import repository_links
from errorkb.core.pr_reports.drafts import Draft
from errorkb.core.pr_reports.fields import take_fact
from errorkb.core.pr_reports.inlines import take_label
from errorkb.core.pr_reports.marks import heading_text, take_mark
from errorkb.core.pr_reports.outlines import Section, outline
from errorkb.core.pr_reports.problems import ReportError
from errorkb.core.pr_reports.sections import read_section
from errorkb.core.pr_reports.sources import read_source
from errorkb.core.pr_reports.titles import parse_top_title
from errorkb.core.pr_reports.words import find_heading

_EXPECTED = (
    "expected a pull request report: a heading such as '# PR #33523 完整报告' or '# PR #33523 full report', "
    "a list with '仓库' or 'Repository', sections such as '执行摘要' or 'Executive summary'"
)
# In this order: without the number's heading, a repository may be stated where no fact is looked for.
_MISSING = {
    "number": (
        "expected a top heading such as '# PR #7 完整报告' or '# PR #7 full report', or a line '- 编号：7' or "
        "'- Number: 7' before any heading, found no number"
    ),
    "repository": (
        "expected a line '- 仓库：`owner/name`' or '- Repository: `owner/name`' below the top heading, "
        "found no repository"
    ),
}
_VISIBLE = re.compile(r"[^\s\ufeff]")
_LOOKED_AT = 65_536


def parse_report(text: str) -> dict[str, object]:
    """Return the pull request document, as JSON values, that a Markdown report states.

    The form, in Chinese or English, is that of `tests/samples/reports/seed.md`. `# PR #5 full report` and a line
    `- Repository: owner/name` are enough: `{"schema_version": "1.0", "repository": "owner/name", "number": 5, …}`.
    What a report does not state is absent; what the form has no field for is kept, verbatim, in `report.sections`.
    Raises ReportError where the text is no report, names no repository or number, or states a fact that cannot be.
    """
    source = read_source(text)
    sections = outline(source)
    draft = Draft()
    for section in sections:
        _read_title(section, draft)
        read_section(source, section, draft)
    _check(sections, draft)
    links = repository_links(str(draft.facts["repository"]))
    number = int(str(draft.facts["number"]))
    return draft.document(url=links.pull_request(number) if links else None, language=_language(sections))


def looks_like_report(text: str) -> bool:
    """Tell a Markdown report, or Markdown that may be meant as one, from JSON, by the beginning of the text."""
    visible = _VISIBLE.search(text)
    if not visible or visible.group() == "{":
        return False
    head = text[visible.start() : visible.start() + _LOOKED_AT]
    labels = head[0] not in '["'
    return head[0] == "#" or any(_is_of_report(line, labels=labels) for line in head.splitlines())


def _is_of_report(line: str, *, labels: bool) -> bool:
    heading = heading_text(line)
    if heading is not None:
        return find_heading(heading) is not None or parse_top_title(heading) is not None
    return labels and take_label(take_mark(line) or line) is not None


def _read_title(section: Section, draft: Draft) -> None:
    title = section.title
    if not title:
        return
    line = section.heading_line + 1
    take_fact("number", draft, title.number, line)
    take_fact("repository", draft, title.repository, line)


def _check(sections: list[Section], draft: Draft) -> None:
    """Raise ReportError unless this is a report, with what every pull request has; take the title's last resort."""
    titles = [section for section in sections if section.title]
    known = any(section.word and section.heading_line >= 0 for section in sections)
    if not known and not draft.facts:
        raise ReportError(_EXPECTED, 1)
    line = titles[0].heading_line + 1 if titles else 1
    for name, expected in _MISSING.items():
        if name not in draft.facts:
            raise ReportError(expected, line)
    for section in titles:
        if section.title and section.title.title:
            draft.facts.setdefault("title", section.title.title)


def _language(sections: list[Section]) -> str | None:
    """Return the language of most headings that the form knows, of the first one among equals, else of the title."""
    headings = Counter(section.word.language for section in sections if section.word and not section.title)
    titles = [section.title.language for section in sections if section.title]
    del headings[""]
    return next((language for language, _ in headings.most_common(1)), titles[0] if titles else None)
