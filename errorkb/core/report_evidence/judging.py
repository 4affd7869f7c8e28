"""Core, report evidence: what a report on a pull request shows that it did to an entry, piece by piece, in words.

Nothing is taken for a link but text: a throw in a snippet, or a message that is quoted. A report that only names the
same file and function says nothing of the error.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from errorkb.core.match_keys import template_keys, text_windows
from errorkb.core.skeletons import letters_of, make_skeleton, words_of
from errorkb.core.template_fits import best_fit
from errorkb.core.template_literals import shape_of
from errorkb.core.text_evidence import likeness, telling_words

# A quote has a template where so much of its literal text stands in it.
_WHOLE = 0.97
# So much of a message's words stand in a sentence that is about it.
_ALIKE = 0.4
_LEAST_WORDS = 3
_SHOWN = 300
# So many sentences of a report are read.
MOST_SENTENCES = 2_000

ROLES = ("introduced", "reworded", "moved", "removed", "fixed", "mentioned")

_ADDS = re.compile(
    r"(?<![\w])(?:add(?:s|ed|ing)?|introduc(?:es?|ed|ing)|new|now|explicit(?:ly)?|rais(?:es?|ed|ing)|throws?|throwing"
    r"|reject(?:s|ed|ing)?|fails?|guard(?:s|ed)?|report(?:s|ed)?|emit(?:s|ted)?)(?![\w])"
    r"|新增|添加|增加|引入|显式|抛出|拒绝|改为|报错",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"(?<![\w])(?:keep(?:s|ing)?|kept|remain(?:s|ing|ed)?|still|already|unchanged|existing|untouched|previously"
    r"|no longer|(?:not|without)\s{1,3}(?:touch|chang)\w{0,5})(?![\w])"
    r"|保持|保留|仍然|仍会|已有|已经|原有|未改|没有改|不变|不再|未涉及",
    re.IGNORECASE,
)
_THROWS = re.compile(
    r"(?<![\w])(?:rais(?:es?|ed|ing)|throws?|throwing|reject(?:s|ed|ing)?)(?![\w])|抛出|报错|拒绝", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^。；;\n!！]+")


@dataclass(frozen=True)
class Quote:
    """An error as a report has it; `kind` is one of `stated`, `fixed`, `quoted`, `thrown`, `added`, `taken`."""

    kind: str
    exception_type: str
    message: str
    template: str
    path: str = ""
    symbol: str = ""


@dataclass(frozen=True)
class ReportText:
    """What is read of a report beside its quotes: key files and their symbols, and its sentences."""

    paths: frozenset[str]
    symbols: frozenset[str]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class ReportedSite:
    """An entry as a report may speak of it: where it was ever seen, what it throws, all its wordings."""

    exception_type: str
    templates: tuple[str, ...]
    paths: frozenset[str]
    symbols: frozenset[str]


@dataclass(frozen=True)
class ReportLink:
    """What a report shows: the role, the evidence as kind and text, and whether the role stands by itself.

    A role that does not was told from words that others might use as well: it is true only of the one report that
    has the throw at all.
    """

    role: str
    evidence: tuple[tuple[str, str], ...]
    is_sure: bool = True


def sentences_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences of texts, MOST_SENTENCES at most."""
    found = (match.group().strip() for text in texts for match in _SENTENCE.finditer(text))
    return tuple(islice(filter(None, found), MOST_SENTENCES))


def judge_report(site: ReportedSite, text: ReportText, quotes: Sequence[Quote]) -> ReportLink | None:
    """Return what a report shows that its pull request did to an entry, None where it shows nothing."""
    found = [link for quote in quotes if (link := _judge_quote(site, text, quote))]
    if not found:
        return None
    if {"introduced", "removed"} <= {link.role for link in found if link.is_sure}:
        role = "reworded" if _has_two_texts(site, quotes) else "moved"
        found = [replace(link, role=role) if link.role in ("introduced", "removed") else link for link in found]
    best = min(found, key=lambda link: (ROLES.index(link.role), not link.is_sure))
    evidence = (*best.evidence, *(piece for link in found for piece in link.evidence), *_of_place(site, text))
    return ReportLink(best.role, tuple(dict.fromkeys(evidence)), best.is_sure)


def settle(found: Sequence[tuple[str, int, ReportLink]], introducer: int | None) -> list[ReportLink]:
    """Return the links of one entry with at most one that introduced it; the others that say so mention it.

    Each comes with the time of its merge, as stated, and its number; `introducer` is the one that is known otherwise.
    That is the earliest one whose report speaks of this very throw, else the only one that has the throw at all.
    """
    throwing = [entry for entry in found if any(kind == "snippet" for kind, _ in entry[2].evidence)]
    sure = [(merged, number) for merged, number, link in found if link.role == "introduced" and link.is_sure]
    first = min(sure, key=lambda one: (not one[0], one), default=None)
    if first is None and len(throwing) == 1:
        first = throwing[0][:2]
    told = introducer if introducer is not None else first and first[1]
    return [link if link.role != "introduced" or number == told else _mention(link) for _, number, link in found]


def _mention(link: ReportLink) -> ReportLink:
    return replace(link, role="mentioned")


def says(template: str, text: str) -> bool:
    """Say whether a text, with values or slots in it, has all of a template's literal words in their order."""
    key, _ = template_keys(template)
    if not key:
        return bool(letters_of(text)) and letters_of("".join(shape_of(template).texts)) == letters_of(text)
    skeleton = make_skeleton(text.split("\n"))
    fit = best_fit(template, skeleton, key, text_windows(skeleton).places([key])[key])
    return fit is not None and fit.share >= _WHOLE


def _judge_quote(site: ReportedSite, text: ReportText, quote: Quote) -> ReportLink | None:
    if not _same_type(site.exception_type, quote.exception_type):
        return None
    if not any(_says(template, quote.template or quote.message) for template in site.templates):
        return None
    shown = _shown(quote)
    if quote.kind in ("stated", "fixed"):
        return ReportLink("fixed", (("message", f"it says that it fixes {shown}"),))
    if quote.kind == "quoted":
        return ReportLink("mentioned", (("message", f"it quotes {shown}"),))
    return _judge_throw(site, text, quote, shown)


def _judge_throw(site: ReportedSite, text: ReportText, quote: Quote, shown: str) -> ReportLink | None:
    """Return what a throw in a snippet shows, if its place is the entry's."""
    if quote.path and site.paths and not any(_same_path(quote.path, path) for path in site.paths):
        return None
    if quote.symbol and site.symbols and quote.symbol not in site.symbols:
        return None
    if quote.kind == "added":
        return ReportLink("introduced", (("snippet", f"its patch adds {shown}"),))
    if quote.kind == "taken":
        return ReportLink("removed", (("snippet", f"its patch takes {shown} away"),))
    piece = ("snippet", f"its snippet{_at(quote)} throws {shown}")
    said, is_sure = _adding_sentence(site, text, quote)
    if said:
        return ReportLink("introduced", (piece, ("text", f"it says: {said[:_SHOWN]}")), is_sure)
    return ReportLink("mentioned", (piece,))


def _adding_sentence(site: ReportedSite, text: ReportText, quote: Quote) -> tuple[str, bool]:
    """Return the sentence that says that a throw was added, and whether it speaks of this very one."""
    name = quote.exception_type.rpartition(".")[2]
    vague = ""
    for sentence in text.sentences:
        names_it = name in words_of(sentence) if name else bool(_THROWS.search(sentence))
        if not names_it or not _ADDS.search(sentence) or _KEEPS.search(sentence):
            continue
        if likeness(quote.template, telling_words(sentence))[0] >= _ALIKE and _is_long(quote.template):
            return sentence, True
        vague = vague or sentence
    return vague, False


def _is_long(template: str) -> bool:
    return len(words_of(" ".join(shape_of(template).texts))) >= _LEAST_WORDS


def _of_place(site: ReportedSite, text: ReportText) -> Iterator[tuple[str, str]]:
    """Yield what names the place beside the text: never enough alone."""
    path = next((path for path in site.paths if any(_same_path(path, key) for key in text.paths)), "")
    if path:
        yield "file", f"{path} is among its key files"
    if symbol := next(iter(sorted(site.symbols & text.symbols)), ""):
        yield "symbol", f"{symbol} is among its key symbols"


def _has_two_texts(site: ReportedSite, quotes: Sequence[Quote]) -> bool:
    new, old = ({quote.template for quote in quotes if quote.kind == kind} for kind in ("added", "taken"))
    told = set(site.templates)
    return bool(new & told) and bool(old & told) and (new & told) != (old & told)


def _same_type(ours: str, theirs: str) -> bool:
    ours, theirs = ours.rpartition(".")[2], theirs.rpartition(".")[2]
    return not ours or not theirs or ours == theirs


def _same_path(one: str, other: str) -> bool:
    one, other = one.strip("/"), other.strip("/")
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _at(quote: Quote) -> str:
    return f" of {quote.path}" if quote.path else ""


def _shown(quote: Quote) -> str:
    text = " ".join(quote.message.split())
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"{quote.exception_type}: {text}" if quote.exception_type else f"“{text}”"


_says = lru_cache(maxsize=4096)(says)
