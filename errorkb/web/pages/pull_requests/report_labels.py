"""Web pages: the headings of a pull request report in the language that it is written in.

The headings are the product's contract; the labels below them are those that reports in Chinese use.
"""

_ENGLISH = {
    "summary": "Executive summary",
    "recommendation": "Recommendation",
    "motivation": "Motivation",
    "implementation": "Implementation",
    "key_files": "Key files",
    "key_symbols": "Key symbols",
    "snippets": "Key source snippets",
    "discussion": "Review discussion",
    "risks": "Risk and impact",
    "risk": "Risk",
    "impact": "Impact",
    "risk_flags": "Risk flags",
    "related": "Related pull requests",
    "introduced_by": "introduced by",
    "untitled": "title not given",
    "module": "module",
    "category": "category",
    "type": "type",
    "symbols": "symbols",
}

_CHINESE = {
    "summary": "执行摘要",
    "recommendation": "推荐动作",
    "motivation": "功能与动机",
    "implementation": "实现拆解",
    "key_files": "关键文件",
    "key_symbols": "关键符号",
    "snippets": "关键源码片段",
    "discussion": "评论区精华",
    "risks": "风险与影响",
    "risk": "风险",
    "impact": "影响",
    "risk_flags": "风险标记",
    "related": "关联脉络",
    "module": "模块",
    "category": "类别",
    "type": "类型",
    "symbols": "符号",
}

_LABELS = {"en": _ENGLISH, "zh": _ENGLISH | _CHINESE}


def labels_for(language: str) -> dict[str, str]:
    """Return the headings and labels for a BCP 47 language; English where there are none in it."""
    return _LABELS.get(language.lower().partition("-")[0], _ENGLISH)
