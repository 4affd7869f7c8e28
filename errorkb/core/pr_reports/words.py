"""Core, pull request reports: the words of the report form in Chinese and English, and how they are recognised."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

CHINESE = "zh-hans"
ENGLISH = "en"
LONGEST_NAME = 80

# Field by field: the names under which a heading opens it. The first Chinese and English names are the form's own.
HEADINGS: dict[str, tuple[str, ...]] = {
    "metadata": ("元数据", "元信息", "基本信息", "Metadata", "Basic information"),
    "summary": ("执行摘要", "摘要", "概述", "Executive summary", "Summary", "Overview", "TL;DR"),
    "recommendation": ("推荐动作", "建议动作", "Recommendation", "Recommended action"),
    "motivation": (
        *("功能与动机", "功能和动机", "动机", "背景与动机", "动机与背景"),
        *("Motivation", "Feature and motivation", "Features and motivation", "Functionality and motivation"),
        *("Background and motivation", "Motivation and background"),
    ),
    "implementation": (
        *("实现拆解", "实现", "实现细节", "实现说明"),
        *("Implementation", "Implementation breakdown", "Implementation details", "Implementation walkthrough"),
    ),
    "key_files": ("关键文件", "Key files"),
    "key_symbols": ("关键符号", "Key symbols"),
    "snippets": (
        *("关键源码片段", "关键代码片段", "源码片段", "代码片段"),
        *("Key source snippets", "Key source code snippets", "Key code snippets", "Key snippets", "Source snippets"),
        "Code snippets",
    ),
    "discussion": (
        *("评论区精华", "评论精华", "评审讨论", "讨论精华", "讨论"),
        *("Review discussion", "Review highlights", "Discussion highlights", "Review discussion highlights"),
        "Discussion",
    ),
    "risk": (
        *("风险与影响", "风险和影响", "风险及影响", "风险"),
        *("Risk and impact", "Risks and impact", "Risks and impacts", "Risk / impact", "Risk", "Risks"),
    ),
    "impact": ("影响", "Impact"),
    "risk_flags": ("风险标记", "风险标签", "Risk flags", "Risk flag", "Risk tags"),
    "related": ("关联脉络", "关联 PR", "相关 PR", "Related pull requests", "Related PRs", "Related"),
    "fixes": ("修复的错误", "修复错误", "Fixes errors", "Fixes error", "Fixed errors", "Errors fixed"),
}

# Field by field: the names that stand before a colon inside a section or in the list under the title.
LABELS: dict[str, tuple[str, ...]] = {
    "repository": ("仓库", "代码仓库", "Repository", "Repo"),
    "number": ("编号", "PR 编号", "PR number", "Pull request number", "Pull request", "PR", "Number"),
    "title": ("标题", "PR 标题", "Title", "PR title"),
    "merged_at": ("合并时间", "合入时间", "Merged at", "Merged", "Merge time", "Merge date"),
    "source_url": ("原文链接", "原文", "来源", "Source URL", "Source link", "Source", "Original URL", "Original link"),
    "author": ("作者", "提交者", "Author"),
    "merged_by": ("合并者", "合并人", "Merged by"),
    "merge_commit": ("合并提交", "Merge commit"),
    "labels": ("标签", "Labels", "Label"),
    "summary": ("一句话", "一句话总结", "One line", "One-line summary", "One sentence", "In one sentence", "Summary"),
    "recommendation": ("推荐动作", "建议动作", "Recommendation", "Recommended action", "Suggested action"),
    "key_files": HEADINGS["key_files"],
    "key_symbols": HEADINGS["key_symbols"],
    "risk": ("风险", "Risk", "Risks"),
    "impact": ("影响", "Impact", "Impacts"),
    "risk_flags": HEADINGS["risk_flags"],
    "fixes": HEADINGS["fixes"],
    "introduced_by": ("引入者", "引入 PR", "引入自", "Introduced by", "Introduced in"),
}

# What a key file's parenthesis states.
FACTS: dict[str, tuple[str, ...]] = {
    "module": ("模块", "Module"),
    "category": ("类别", "分类", "Category"),
    "type": ("类型", "Type"),
    "symbols": ("符号", "Symbol", "Symbols"),
}

# Words for "there is none", and for a related pull request whose title the report's writer did not know.
ABSENCES: dict[str, tuple[str, ...]] = {
    "none": ("无", "没有", "未知", "未提供", "None", "N/A", "Unknown", "Not given", "Not provided"),
    "unmerged": ("未合并", "尚未合并", "Not merged", "Unmerged", "Open"),
    "untitled": (
        *("上下文未提供标题", "未提供标题", "标题未提供", "无标题", "标题未知"),
        *("Title not given", "Title not provided", "Title not provided in context", "Title not in context"),
        *("No title provided", "No title given", "No title", "Title unknown", "Unknown title", "Untitled"),
    ),
}

# Behind a path heading, in front of the path.
PATH_LABELS: dict[str, tuple[str, ...]] = {"path": ("文件", "路径", "File", "Path")}

# A title such as `fix(npu): …` holds a colon of its own.
CHANGE_TYPES = "build|chore|ci|docs|feat|fix|hotfix|perf|refactor|release|revert|style|test"

_GAPS = re.compile(r"[\W_]+")
_CJK = re.compile(r"[\u3400-\u9fff]")
_ORDINAL = re.compile(r"第?(?:[0-9]+|[一二三四五六七八九十]+)(?:部分|章|节)?|[ivx]+")
_GLUED_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Word:
    """A recognised name: the field that it stands for, and the language it is written in."""

    field: str
    language: str


Lookup = Mapping[str, Word]


def _tokens(text: str) -> list[str]:
    return _GAPS.sub(" ", normalize("NFKC", text).casefold()).split()


def _lookup(names: Mapping[str, Iterable[str]]) -> Lookup:
    return {
        "".join(_tokens(name)): Word(field, CHINESE if _CJK.search(name) else ENGLISH)
        for field, aliases in names.items()
        for name in aliases
    }


_HEADINGS = _lookup(HEADINGS)
_LABELS = _lookup(LABELS)
_FACTS = _lookup(FACTS)
_ABSENCES = _lookup(ABSENCES)
_PATH_LABELS = _lookup(PATH_LABELS)


def find_heading(text: str) -> Word | None:
    """Recognise a section's name whatever its case, width, spaces, numbering, colon or emoji.

    `"2. 📌 EXECUTIVE SUMMARY："` gives the field `summary` in `en`; a name in both languages gives the first one's.
    """
    return _find_heading(text) if len(text) <= LONGEST_NAME else None


@lru_cache(maxsize=4096)
def _find_heading(text: str) -> Word | None:
    tokens = _tokens(text)
    return _numbered(tokens, _HEADINGS) or _in_two_languages(tokens)


def find_label(text: str) -> str | None:
    """Return the field that a label such as `合并时间` or `**Merged at**` names, or None."""
    return _find_label(text) if len(text) <= LONGEST_NAME else None


@lru_cache(maxsize=4096)
def _find_label(text: str) -> str | None:
    word = _LABELS.get("".join(_tokens(text)))
    return word.field if word else None


def find_fact(text: str) -> str | None:
    """Return the field of a key file that a word such as `模块` or `category` names, or None."""
    return _plain(text, _FACTS)


def is_path_label(text: str) -> bool:
    """Tell whether a word such as `File` only says that a path follows."""
    return _plain(text, _PATH_LABELS) is not None


def absence(text: str) -> str | None:
    """Return `none`, `unmerged` or `untitled` where the whole text says so in words or by a dash, else None."""
    if len(text) > LONGEST_NAME:
        return None
    return "none" if text and not text.strip("-–—/ ") else _plain(text, _ABSENCES)


def _plain(text: str, lookup: Lookup) -> str | None:
    if len(text) > LONGEST_NAME:
        return None
    word = lookup.get("".join(_tokens(text)))
    return word.field if word else None


def _numbered(tokens: list[str], lookup: Lookup) -> Word | None:
    """Look a name up as it stands first, for some names begin with a numeral (一句话)."""
    found = lookup.get("".join(tokens))
    if found or not tokens:
        return found
    start = next((n for n, token in enumerate(tokens) if not _ORDINAL.fullmatch(token)), len(tokens))
    name = "".join(tokens[start:])
    glued = _GLUED_NUMBER.match(name)
    return lookup.get(name[glued.end() :] if glued else name)


def _in_two_languages(tokens: list[str]) -> Word | None:
    """Recognise `执行摘要（Executive summary）`: both halves must name the same section."""
    chinese = _numbered([token for token in tokens if _CJK.search(token)], _HEADINGS)
    english = _numbered([token for token in tokens if not _CJK.search(token)], _HEADINGS)
    if not chinese or not english or chinese.field != english.field:
        return None
    first = next(token for token in tokens if not _ORDINAL.fullmatch(token))
    return chinese if _CJK.search(first) else english
