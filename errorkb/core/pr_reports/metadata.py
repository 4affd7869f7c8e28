"""Core, pull request reports: the facts in the list under the top heading, each brought into the document's form."""

import re
from collections.abc import Callable
from datetime import datetime
from unicodedata import normalize

from errorkb.core.pr_reports.inlines import COMMAS, plain, split_list, take_link
from errorkb.core.pr_reports.marks import take_mark
from errorkb.core.pr_reports.problems import ReportError
from errorkb.core.pr_reports.references import LARGEST_NUMBER, parse_repository, take_reference
from errorkb.core.pr_reports.words import absence

_SHOWN = 60
_MOMENT = re.compile(
    r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})\s?日?"
    r"(?:(?:\s{1,3}|T|(?<=日))(\d{1,2}):(\d{2})(?::(\d{2})([.,]\d{1,9})?)?\s{0,3}(?P<zone>.{0,20}))?",
    re.IGNORECASE | re.ASCII,
)
_OFFSET = re.compile(r"(?:UTC|GMT)?\s?([+-])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE | re.ASCII)
_ZONES = {"": "", "z": "Z", "utc": "Z", "gmt": "Z", "北京时间": "+08:00"}
# What states that there is no value; a title may be any words.
_ABSENT = {"merged_at": ("none", "unmerged"), "title": ()}
_NUMBER = re.compile(r"[0-9]{1,10}")
_COMMIT = re.compile(r"[0-9a-fA-F]{7,40}")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"`]+", re.IGNORECASE)


def read_fact(field: str, text: str, line: int) -> object:
    """Return a fact's value in the document's form, None where the text says that there is none.

    `2026-08-05 09:54` gives `2026-08-05T09:54` for `merged_at`, which keeps a zone where one is stated. Raises
    ReportError with what is expected.
    """
    if absence(plain(text)) in _ABSENT.get(field, ("none",)):
        return None
    reader, expected = _READERS[field]
    value = reader(text)
    if value is None:
        raise ReportError(f"{field}: expected {expected}, found {shown(text)}", line)
    return value


def shown(text: str) -> str:
    """Return a text's beginning, for a message."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def _read_number(text: str) -> int | None:
    found = take_reference(text)
    if found and not found[1].strip():
        return found[0].number
    digits = plain(text)
    return int(digits) if _NUMBER.fullmatch(digits) and 1 <= int(digits) <= LARGEST_NUMBER else None


def _read_repository(text: str) -> str | None:
    link = take_link(text.strip())
    return parse_repository(plain(text)) or (parse_repository(link[1]) if link else None)


def _read_moment(text: str) -> str | None:
    found = _MOMENT.fullmatch(normalize("NFKC", plain(text)[:_SHOWN]).strip())
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    date = f"{year}-{int(month):02}-{int(day):02}"
    if hour is None:
        return _existing(date)
    offset = _read_zone(zone)
    time = f"{int(hour):02}:{minute}" + (f":{second}" if second else "")
    return None if offset is None else _existing(f"{date}T{time}", (fraction or "").replace(",", "."), offset)


def _read_zone(text: str) -> str | None:
    name = text.strip("() ").lower()
    if name in _ZONES:
        return _ZONES[name]
    found = _OFFSET.fullmatch(name)
    return f"{found[1]}{int(found[2]):02}:{found[3] or '00'}" if found else None


def _existing(moment: str, fraction: str = "", offset: str = "") -> str | None:
    try:
        datetime.fromisoformat(moment + offset)
    except ValueError:
        return None
    return moment + fraction + offset


def _read_address(text: str) -> str | None:
    link = take_link(text.strip())
    address = link[1] if link else plain(text).removeprefix("<").removesuffix(">")
    return address if _WEB_ADDRESS.fullmatch(address) else None


def _read_commit(text: str) -> str | None:
    commit = plain(text)
    return commit if _COMMIT.fullmatch(commit) else None


def _read_person(text: str) -> str | None:
    return plain(text).removeprefix("@") or None


def _read_labels(text: str) -> list[str]:
    lines = text.split("\n")
    pieces = (take_mark(line) or line for line in lines)
    return [plain(label) for piece in pieces for label in split_list(piece, COMMAS)]


def _read_title(text: str) -> str:
    return " ".join(line.strip() for line in text.split("\n"))


_READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "repository": (_read_repository, "a repository such as owner/name"),
    "number": (_read_number, f"a pull request's number such as #33523, from 1 to {LARGEST_NUMBER}"),
    "title": (_read_title, "a title"),
    "merged_at": (_read_moment, "a time such as 2026-08-05 09:54, with or without a zone such as +08:00"),
    "source_url": (_read_address, "an http or https address"),
    "author": (_read_person, "a name"),
    "merged_by": (_read_person, "a name"),
    "merge_commit": (_read_commit, "a commit of 7 to 40 hex digits"),
    "labels": (_read_labels, "labels with commas between them"),
}

FACTS = tuple(_READERS)
