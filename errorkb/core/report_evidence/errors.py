"""Core, report evidence: the errors that a report quotes in its prose, and which of them it says that it fixes."""

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from errorkb.core.builtin_messages import is_said_by_python
from errorkb.core.documents import PullRequestDocument
from errorkb.core.masking import mask_message
from errorkb.core.skeletons import CJK_LETTERS, letters_of, words_of
from errorkb.core.word_frequencies import text_bits

# So many quotes of one report are kept, and so much of each.
MOST_QUOTES = 50
MOST_CHARACTERS = 2_000
_MOST_PROSE = 200_000
_MOST_ITEMS = 200

# Where a quoted message ends: with its line or sentence, or where somebody else's words go on.
_ENDS = re.compile(r"[。；;\n]|[.!](?=\s+[A-Z\u3400-\u9fff])|[.!]\s*\Z|(?<=['\"`”」])[,，)）]|（|\s\(")
_FIX = r"(?:fix(?:es|ed|ing)?|resolv(?:es?|ed|ing)|repair(?:s|ed)?|solv(?:es?|ed)|修复|解决|修正)"
_ERROR = (
    r"(?<![A-Za-z])(?:error|exception|crash|failure|traceback|bug|issue|报错|错误|异常|崩溃|问题)(?:es|s)?"
    r"(?:\s{1,3}message)?"
)
# `Fix error: got an unexpected keyword argument 'x'`
_FIXED = re.compile(
    rf"(?<![\w]){_FIX}[^\n:：。]{{0,30}}?{_ERROR}\s{{0,3}}[:：]\s{{0,3}}(?P<text>[^\n]{{1,2000}})", re.IGNORECASE
)
# `TypeError: got an unexpected keyword argument 'x'`, within quotes or not
_TYPED = re.compile(
    r"(?<![\w.])(?P<type>(?:[A-Za-z_]\w{0,99}\.){0,6}[A-Z]\w{0,99}(?:Error|Exception|Warning))\s?[:：]\s{0,3}(?P<text>[^\n]{1,2000})"
)
_BARE_TYPE = re.compile(
    r"(?P<type>(?:[A-Za-z_]\w{0,99}\.){0,6}[A-Z]\w{0,99}(?:Error|Exception|Warning))\s?[:：]\s{0,3}"
)
_SAYS_FIX = re.compile(rf"(?<![\w]){_FIX}(?![a-z])|bug-?fix|regression|hotfix|回归", re.IGNORECASE)
# A sentence about an error that the change itself throws.
_NEW = re.compile(
    r"(?<![\w])(?:rais(?:es?|ed|ing)|throws?|thrown|throwing|reject(?:s|ed|ing)?|add(?:s|ed|ing)?|emit(?:s|ted)?)(?![\w])|抛出|新增|拒绝|添加",
    re.IGNORECASE,
)
_QUOTES = {"`": "`", "'": "'", '"': '"', "“": "”", "「": "」"}
_MASK = re.compile(r"\{[a-z]+\}")
_CJK = re.compile(f"[{CJK_LETTERS}]")
# Values that are another's every time, in a message that is known by its other words.
_VALUES = re.compile(
    r"(?<![\w.])(?:0x[0-9A-Fa-f]+|[0-9]++(?:[.,][0-9]++){0,4})(?![\w])|(?<![\w.])(?:/[\w.@+-]{1,100}){2,20}"
)
# Values that say nothing of whose code it is.
_BUILTIN_NAMES = frozenset((*vars(builtins), "NoneType", "function", "module", "method", "ndarray", "Tensor"))
# Fewer plain words than this are no message: what is left is a value, and anybody's.
_LEAST_WORDS = 2
_LEAST_CJK = 6


@dataclass(frozen=True)
class QuotedError:
    """An error as a report quotes it: its type where one is named, its message; `fixes` says that it repairs it.

    `is_stated` says that a field of the document says so, not a sentence of its text.
    """

    exception_type: str
    message: str
    fixes: bool
    is_stated: bool = False


def quoted_errors(document: PullRequestDocument) -> tuple[QuotedError, ...]:
    """Return the errors that a report quotes, those first that its document states as what it fixes; each once."""
    firsts: dict[str, QuotedError] = {}
    for error in chain(_stated(document), _in_prose(document)):
        firsts.setdefault(letters_of(error.message), error)
        if len(firsts) == MOST_QUOTES:
            break
    return tuple(firsts.values())


def quoted_template(message: str) -> str:
    """Return a quoted message as a template: numbers, addresses and paths are slots, all other values are literal.

    >>> quoted_template("no room for 12 in {pool}: got 'abc'")
    "no room for {0} in {{pool}}: got 'abc'"
    """
    pieces, end = [], 0
    for number, found in enumerate(_VALUES.finditer(message)):
        pieces += [_escaped(message[end : found.start()]), f"{{{number}}}"]
        end = found.end()
    return "".join((*pieces, _escaped(message[end:])))


def plain_template(message: str) -> str:
    """Return what stays of a message without any value, with slots between: "got an unexpected argument {0}"."""
    masked = mask_message(message)
    pieces = _MASK.split(masked)
    return "".join(piece + (f"{{{n}}}" if n < len(pieces) - 1 else "") for n, piece in enumerate(map(_escaped, pieces)))


def is_telling(message: str) -> bool:
    """Say whether a message has words of its own: `'currency'` of a KeyError has none, it is anybody's value."""
    plain = _MASK.sub(" ", mask_message(message))
    return len(plain.split()) >= _LEAST_WORDS or len(_CJK.findall(message)) >= _LEAST_CJK


def telling_bits(message: str) -> float | None:
    """Return how rare the values of a message are that Python itself says of anybody's code; None of any other.

    Of "got an unexpected keyword argument 'x'" only the `x` says which error it is.
    """
    plain = _MASK.sub(" ", mask_message(message))
    if not is_said_by_python(letters_of(plain)):
        return None
    own = " ".join(word for word in words_of(message) if word not in _BUILTIN_NAMES)
    return max(0.0, text_bits(own) - text_bits(plain))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _stated(document: PullRequestDocument) -> Iterator[QuotedError]:
    for error in (document.fixes or [])[:_MOST_ITEMS]:
        if error.message and error.message.strip():
            message = error.message.strip()[:MOST_CHARACTERS]
            yield QuotedError(error.exception_type or "", message, fixes=True, is_stated=True)


def _in_prose(document: PullRequestDocument) -> Iterator[QuotedError]:
    says_fix = any(_SAYS_FIX.search(text) for text in heading_texts(document))
    for text in prose_texts(document):
        for found in _FIXED.finditer(text):
            yield from _quoted("", found["text"], fixes=True)
        for found in _TYPED.finditer(text):
            before = text[max(0, found.start() - 80) : found.start()]
            is_new = bool(_NEW.search(re.split(r"[。；;.\n]", before)[-1]))
            opened = before[-1:] if before[-1:] in _QUOTES else ""
            yield from _quoted(found["type"], found["text"], fixes=says_fix and not is_new, opened=opened)


def heading_texts(document: PullRequestDocument) -> Iterator[str]:
    """Yield what a report says of the whole change: its title, its summary, why it was made."""
    report = document.report
    texts = (document.title, report and report.summary, report and report.motivation)
    yield from (text[:_MOST_PROSE] for text in texts if text)


def prose_texts(document: PullRequestDocument) -> Iterator[str]:
    """Yield the texts of a report in which it speaks of what was wrong and what was done."""
    report = document.report
    yield from heading_texts(document)
    if report is None:
        return
    discussion = report.discussion.summary if report.discussion else None
    texts = (
        *(report.implementation or [])[:_MOST_ITEMS],
        report.recommendation,
        report.risk,
        report.impact,
        discussion,
    )
    yield from (text[:_MOST_PROSE] for text in texts if text)


def _quoted(exception_type: str, text: str, *, fixes: bool, opened: str = "") -> Iterator[QuotedError]:
    """Yield the error at the beginning of a text, without quotes and what is said behind it.

    `opened` is the quotation mark that stands before a type, whose other half ends the message.
    """
    text = text.strip().removeprefix("**").lstrip()
    if not exception_type and (typed := _BARE_TYPE.match(text, 1 if text[:1] in _QUOTES else 0)):
        exception_type, opened, text = typed["type"], text[: typed.start()], text[typed.end() :]
    closing = text.find(_QUOTES[opened]) if opened in _QUOTES else -1
    message = text[:closing].strip() if closing > 0 else _message(text)
    if message:
        yield QuotedError(exception_type, message[:MOST_CHARACTERS], fixes=fixes)


def _message(text: str) -> str:
    """Return the message at the beginning of a text: what a quotation mark holds, else the sentence."""
    closing = _QUOTES.get(text[:1])
    end = text.find(closing, 1) if closing else -1
    if end > 0 and (text[0] != "'" or text.count(" ", 1, end) >= _LEAST_WORDS):
        return text[1:end].strip()
    found = _ENDS.search(text)
    message = (text[: found.start()] if found else text).strip().rstrip(".。,，:：`*").strip()
    return message[1:-1] if end > 0 and end == len(message) - 1 else message
