"""Core, pull request reports: the report's top heading, `PR #33523 完整报告`, and its near variants."""

import re
from dataclasses import dataclass

from errorkb.core.pr_reports.words import CHINESE, ENGLISH

_LONGEST = 400
_PULL_REQUEST = r"(?:\bPR|\bpull\s{1,3}request|合并请求|拉取请求)"
_NUMBERED = re.compile(
    r"(?:(?P<repository>[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100})\s{0,2})?"
    rf"(?:{_PULL_REQUEST}\s{{0,2}}(?:[#＃]|no\.)?|[#＃])\s{{0,2}}(?P<number>[0-9]{{1,100}})(?![0-9A-Za-z_])",
    re.IGNORECASE,
)
_REPORT_WORDS = re.compile(
    r"(?:full|complete|detailed|analysis|report|on|of|for|the|a|pr|pull|request"
    r"|完整|详细|分析|解读|报告|的|关于|[\W_])+",
    re.IGNORECASE,
)
_REPORT = re.compile(r"\breport\b|报告", re.IGNORECASE)
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class TopTitle:
    """What the top heading says; `number` is as written, empty where it states none."""

    number: str
    repository: str
    title: str
    language: str


def parse_top_title(text: str) -> TopTitle | None:
    """Read a report's top heading, or return None for another one.

    `PR #5 完整报告`, `Full report: owner/name#5`, `PR #5: Fix the thing` (whose words are the title), `完整报告`.
    """
    if len(text) > _LONGEST:
        return None
    found = _NUMBERED.search(text)
    if not found:
        reports = _REPORT.search(text) and _REPORT_WORDS.fullmatch(text)
        return TopTitle("", "", "", _language(text)) if reports else None
    before, after = text[: found.start()], text[found.end() :]
    title = "" if _REPORT_WORDS.fullmatch(f" {after}") else after.strip(" :：-–—")
    if not _REPORT_WORDS.fullmatch(f" {before}"):
        return None
    return TopTitle(found["number"], found["repository"] or "", title, _language(text))


def _language(text: str) -> str:
    return CHINESE if _CHINESE.search(text) else ENGLISH
