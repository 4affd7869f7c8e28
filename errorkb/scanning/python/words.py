"""Scanning, Python: the words that a throw site cannot be without, and where they stand in a text."""

import re
from collections.abc import Iterator

# What a call that is a site, or that reaches a site in a helper, has in its name, and what follows in a call.
# Finding words one by one is ten times as fast as one regular expression of them all. Quantifiers are bounded: a
# line of a million letters must not be tried from every letter on to its end.
_CALL_WORDS = (
    "error", "exception", "critical", "fatal", "warn", "exit", "raise", "fail", "abort", "throw", "die", "invalid",
    "unsupported", "not_found",
)  # fmt: skip
_CALLED = re.compile(r"\w{0,40}\s{0,9}\(")
# A check's id, as Django gives it: `id="fields.E304"`.
_ID = re.compile(r"(?<!\w)id\s{0,9}=(?!=)")
_ID_TEXT = re.compile(r"\.[A-Z]\d{3}")
# An exception that is raised again as it came is no site.
_STATEMENTS = {"raise": re.compile(r"raise\b(?!\n)"), "assert": re.compile(r"assert\b")}
# Blanks before a statement beyond these are not looked at: it is taken for one.
_MOST_BLANKS = 100
_SITE_CALL = re.compile(rb"(?:error|exception|critical|fatal|warn|exit)\w{0,40}\s{0,9}\(")
_CHECK = re.compile(rb"\bid\s{0,9}=")
# A file without a site may still hold what sites elsewhere say: exception classes, constants with messages.
_EXCEPTION_NAMES = (b"Error", b"Exception", b"Warning", b"Exit", b"Interrupt", b"Fault", b"Failure")
_MESSAGE_NAMES = (b"MSG", b"MESSAGE", b"ERR", b"WARN")
_EXCEPTION = re.compile(rb"class\s[^\n:]{0,200}(?:%b)\b" % b"|".join(_EXCEPTION_NAMES))
_MESSAGE = re.compile(
    rb"^\s{0,9}\w{0,60}(?:%b)\w{0,60}\s{0,9}(?::[^=\n]{0,60})?=" % b"|".join(_MESSAGE_NAMES), re.MULTILINE
)
# What is dear to look for, behind words without which it is not there.
_SIGNS = (
    ((b"error", b"exception", b"critical", b"fatal", b"warn", b"exit"), _SITE_CALL),
    ((b"id",), _CHECK),
    (_EXCEPTION_NAMES, _EXCEPTION),
    (_MESSAGE_NAMES, _MESSAGE),
)


def may_hold_site(blob: bytes) -> bool:
    """Return False for a blob that neither holds a throw site nor anything that sites elsewhere could need."""
    if b"raise" in blob or b"assert" in blob:
        return True
    return any(any(word in blob for word in words) and form.search(blob) for words, form in _SIGNS)


def offsets_of(word: str, text: str) -> Iterator[int]:
    """Yield where a word stands in a text."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def call_offsets(text: str) -> list[int]:
    """Return where a word of a call stands in a name that is called, or a check's id is given; in ascending order."""
    called = [at for word in _CALL_WORDS for at in offsets_of(word, text) if _CALLED.match(text, at)]
    ids = [at for at in offsets_of("id", text) if _ID.match(text, at)] if _ID_TEXT.search(text) else []
    return sorted(called + ids)


def statement_offsets(text: str) -> list[int]:
    """Return where `raise` and `assert` begin statements, words of texts and comments that look so among them."""
    return [
        at
        for word, form in _STATEMENTS.items()
        for at in offsets_of(word, text)
        if form.match(text, at) and _begins_statement(text, at)
    ]


def lines_at(offsets: list[int], text: str) -> list[int]:
    """Return the lines of offsets, in their order."""
    lines = []
    line, position = 1, 0
    for offset in offsets:
        line += text.count("\n", position, offset)
        position = offset
        lines.append(line)
    return lines


def _begins_statement(text: str, at: int) -> bool:
    before = text[max(0, at - _MOST_BLANKS) : at].rstrip(" \t\f")
    return not before or before[-1] in "\n:;"
