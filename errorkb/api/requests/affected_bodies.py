"""API: what is asked of many entries at once: their ids, and one release or a list of installed packages."""

import re
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from errorkb.api.problems import ProblemError, wrong_parameter
from errorkb.api.requests.bodies import json_object
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.core.paste_bytes import tidy_paste
from errorkb.core.problems import shown
from errorkb.core.releases.freezes import pinned_versions

MAX_IDS = 1_000
MAX_RELEASE = 300
MAX_BYTES = 2**20

EXAMPLE = {"ids": ["0a4a184d34e9a38f"], "release": "0.5.18"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["ids"],
    "properties": {
        "ids": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_IDS},
        "release": {"type": "string", "maxLength": MAX_RELEASE},
        "freeze": {"type": "string"},
    },
}
_IDENTIFIER = re.compile(r"[0-9a-fA-F]{16}")
_LIKE = '{"ids": […], "release": …} or {"ids": […], "freeze": …}'


@dataclass(frozen=True)
class Question:
    """What is asked: ids as they were given, and a release, or versions by the names of packages."""

    ids: tuple[str, ...]
    release: str = ""
    versions: dict[str, str] | None = None


def read_question(request: HttpRequest) -> Question:
    """Return what a JSON body asks. Raises ProblemError."""
    too_large = ProblemError("too-large", "Expected at most 1 MiB; ask about fewer entries at once.")
    body = json_object(request, MAX_BYTES, too_large=too_large, like=_LIKE)
    faults = [*_strangers(body), *_id_faults(body.get("ids")), *_release_faults(body)]
    if faults:
        raise wrong_parameter(*faults)
    ids = tuple(body["ids"])
    if "release" in body:
        return Question(ids, release=tidy_paste(body["release"]))
    return Question(ids, versions=pinned_versions(tidy_paste(body["freeze"])))


def _strangers(body: dict[str, Any]) -> list[ParameterError]:
    known = SCHEMA["properties"]
    return [ParameterError(name[:60], f"one of {', '.join(known)}") for name in body if name not in known][:1]


def _id_faults(ids: Any) -> list[ParameterError]:
    if not isinstance(ids, list) or not ids:
        return [ParameterError("ids", "an array of ids", shown(ids))]
    if len(ids) > MAX_IDS:
        return [ParameterError("ids", f"at most {MAX_IDS:,} ids", f"{len(ids):,} ids")]
    wrong = (one for one in ids if not (isinstance(one, str) and _IDENTIFIER.fullmatch(one)))
    return [ParameterError("ids", "ids of 16 hex digits", shown(one)) for one in wrong][:1]


def _release_faults(body: dict[str, Any]) -> list[ParameterError]:
    given = [name for name in ("release", "freeze") if name in body]
    if len(given) != 1:
        return [ParameterError("release", "either `release` or `freeze`", shown(given))]
    text = body[given[0]]
    if not isinstance(text, str) or not text.strip():
        return [ParameterError(given[0], "some text", shown(text))]
    if given[0] == "release" and len(text) > MAX_RELEASE:
        return [ParameterError("release", f"at most {MAX_RELEASE} characters", shown(text))]
    return []
