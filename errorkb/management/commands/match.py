"""Management: match a traceback, a log or a line, from standard input or from files."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from errorkb.core.json_documents import dump_document
from errorkb.core.paste_bytes import decode_paste
from errorkb.management.console import COULD_NOT_RUN, ConsoleCommand
from errorkb.management.match_lines import answer_lines
from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, MatchResult, Outcome
from errorkb.matching.served import served_result
from errorkb.models import Repository

MAX_LIMIT = 100


class Command(ConsoleCommand):
    help = (
        "Say which entry a pasted error is. Exit status 0 if one is known for sure, 1 if none is or several may be, "
        "2 if the text cannot be read. Nothing is stored."
    )
    example = "python manage.py match < app.log"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", metavar="FILE", help="a text; - or none: standard input")
        parser.add_argument("--json", action="store_true", help="answer as /api/match does, one line for each text")
        parser.add_argument("--full", action="store_true", help="with --json: meaning and solutions, too")
        parser.add_argument("--repository", default="", metavar="OWNER/NAME", help="only entries of this one")
        parser.add_argument("--release", default="", metavar="TAG", help="the release that the error comes from")
        parser.add_argument("--limit", type=int, default=10, metavar="N", help="matches at most (default: 10)")

    def run(self, **options: Any) -> bool:
        asked = _options(options)
        sure = True
        for path in options["paths"] or ["-"]:
            result = match(decode_paste(self._read(path)), asked)
            self._tell(result, options)
            sure = sure and result.outcome is Outcome.MATCHED
        return sure

    def _read(self, path: str) -> bytes:
        """Return the bytes of a text; raise CommandError where there are none, or too many."""
        if path == "-" and sys.stdin.isatty():
            self.stderr.write("Paste the error, then press Ctrl-D on a line of its own.")
        try:
            data = b"".join(_read_at_most(path, settings.MATCH_MAX_BYTES + 1))
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=COULD_NOT_RUN) from None
        name = "standard input" if path == "-" else path
        if len(data) > settings.MATCH_MAX_BYTES:
            limit = f"{settings.MATCH_MAX_BYTES:,} bytes (MATCH_MAX_BYTES)"
            raise CommandError(f"{name}: expected at most {limit}", returncode=COULD_NOT_RUN)
        if not data.strip():
            raise CommandError(f"{name}: expected some text", returncode=COULD_NOT_RUN)
        return data

    def _tell(self, result: MatchResult, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(dump_document(served_result(result, full=options["full"])))
            return
        for line in answer_lines(result):
            self.stdout.write(line)


def _options(options: dict[str, Any]) -> MatchOptions:
    if not 1 <= options["limit"] <= MAX_LIMIT:
        raise CommandError(f"--limit: expected 1 to {MAX_LIMIT}", returncode=COULD_NOT_RUN)
    name = options["repository"]
    if name and not Repository.objects.named(name).exists():
        raise CommandError(f"--repository: no repository {name} is loaded", returncode=COULD_NOT_RUN)
    return MatchOptions(limit=options["limit"], repository=name, release=options["release"])


def _read_at_most(path: str, size: int) -> Iterator[bytes]:
    if path == "-":
        yield cast(BinaryIO, cast(Any, sys.stdin).buffer).read(size)
        return
    with Path(path).open("rb") as file:
        yield file.read(size)
