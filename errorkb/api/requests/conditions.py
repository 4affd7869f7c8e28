"""API: whether a client has the newest answer already: the preconditions of RFC 9110, section 13."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django.utils.http import parse_http_date_safe

# An entity tag, RFC 9110 section 8.8.3; a list of them never needs more than one look at each character.
_ENTITY_TAG = re.compile(r'(?:^|,)[ \t]*((?:W/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)')


@dataclass(frozen=True)
class Validators:
    """What tells one state of an answer from another: a strong entity tag, quotes included, and a date."""

    etag: str
    last_modified: datetime | None = None

    def stated_second(self, now: datetime) -> int | None:
        """Return the date to state, in seconds since 1970.

        Within the second that is not over yet, it is the second before: the answer may change again in this one, and
        a date knows no parts of seconds.
        """
        if self.last_modified is None:
            return None
        return min(int(self.last_modified.timestamp()), int(now.timestamp()) - 1)


def judge(headers: Mapping[str, str], validators: Validators, now: datetime) -> HTTPStatus:
    """Return OK, NOT_MODIFIED or PRECONDITION_FAILED for a GET or HEAD with these headers (RFC 9110, 13.2.2)."""
    if not _is_wanted(headers, validators):
        return HTTPStatus.PRECONDITION_FAILED
    return HTTPStatus.NOT_MODIFIED if _is_known(headers, validators, now) else HTTPStatus.OK


def _is_wanted(headers: Mapping[str, str], validators: Validators) -> bool:
    """Say whether If-Match, or without it If-Unmodified-Since, lets the answer pass."""
    if "If-Match" in headers:
        return headers["If-Match"].strip() == "*" or validators.etag in _tags(headers["If-Match"])
    since = _date(headers, "If-Unmodified-Since")
    if since is None or validators.last_modified is None:
        return True
    return int(validators.last_modified.timestamp()) <= since


def _is_known(headers: Mapping[str, str], validators: Validators, now: datetime) -> bool:
    """Say whether the client has this very answer: by its tags, which come first, else by its date."""
    if "If-None-Match" in headers:
        tags = {tag.removeprefix("W/") for tag in _tags(headers["If-None-Match"])}
        return headers["If-None-Match"].strip() == "*" or validators.etag in tags
    since = _date(headers, "If-Modified-Since")
    if since is None or validators.last_modified is None:
        return False
    changed = int(validators.last_modified.timestamp())
    return changed <= since and changed < int(now.timestamp())


def _tags(value: str) -> set[str]:
    return set(_ENTITY_TAG.findall(value))


def _date(headers: Mapping[str, str], name: str) -> int | None:
    value = headers.get(name)
    return parse_http_date_safe(value) if value else None
