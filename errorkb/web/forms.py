"""Web: what a form sends to be matched: a pasted text or a file, kept in memory and nowhere else."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError

from errorkb.core.paste_bytes import decode_paste, paste_size, tidy_paste

# What a multipart body has beside its text.
_AROUND = 64 * 1024
# As much as stands in an address; a longer text is posted.
MAX_LINE = 8_000


@dataclass(frozen=True)
class Pasted:
    """What somebody asks about: `from_home` where one box takes searches as well; `problem` where it is too much."""

    text: str = ""
    from_home: bool = False
    problem: str = ""
    status: int = 200


class MemoryOnly(MemoryFileUploadHandler):
    """Keeps a file in memory, whatever its size: Django would write large ones to a folder."""

    def handle_raw_input(self, *args: Any, **kwargs: Any) -> None:
        self.activated = True


def read_pasted(request: HttpRequest) -> Pasted:
    """Return what a request asks about: of a form the file, else the text; of an address `q`."""
    if request.method != "POST":
        return Pasted(tidy_paste(request.GET.get("q", "")[:MAX_LINE]))
    if _stated_length(request) > 2 * settings.MATCH_MAX_BYTES + _AROUND:
        return _too_large()
    request.upload_handlers = [MemoryOnly(request)]
    try:
        paste = _posted(request)
    except RequestDataTooBig:
        return _too_large()
    except (MultiPartParserError, BadRequest, OSError):
        return Pasted(problem="The form came here broken. Try again.", status=400)
    if paste_size(paste) > settings.MATCH_MAX_BYTES:
        return _too_large()
    text = decode_paste(paste) if isinstance(paste, bytes) else tidy_paste(paste)
    return Pasted(text, from_home=request.POST.get("ask") == "either")


def _posted(request: HttpRequest) -> str | bytes:
    """Return the file of a form, else its text."""
    file = request.FILES.get("file")
    return file.read() if file and file.size else request.POST.get("text", "")


def _stated_length(request: HttpRequest) -> int:
    length = request.headers.get("Content-Length") or ""
    return int(length) if length.isdecimal() else 0


def _too_large() -> Pasted:
    limit = f"{settings.MATCH_MAX_BYTES / 2**20:.3g} MiB"
    problem = f"This is more than the {limit} that are matched at once. Send the part with the error."
    return Pasted(problem=problem, status=413)
