"""Management: what every command has in common: exit statuses, streams, progress, and how outcomes are told."""

import json
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError
from tqdm import tqdm

from errorkb.core.differences import ABSENT, common_beginning
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.ingest.readers import UnreadableError
from errorkb.ingest.sources import SourceError

DONE, NOT_CLEAN, COULD_NOT_RUN = 0, 1, 2
SHOWN_VALUE = 200
# So much of what two long values begin with in common is shown before what differs.
_SHOWN_BEFORE = 40
# https://www.postgresql.org/docs/15/errcodes-appendix.html
_UNDEFINED_TABLE, _LOCK_NOT_AVAILABLE = "42P01", "55P03"


class ConsoleCommand(BaseCommand):
    """A command with results on standard output, everything else on standard error, and exit status 0, 1 or 2.

    Subclasses have `example`, shown by --help, and `run`, which returns whether nothing was wrong.
    """

    example = ""
    # Checking the whole project imports every page of the site, which takes as long as loading a thousand documents.
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(prog_name, subcommand, epilog=f"Example: {self.example}", **kwargs)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            clean = self.run(**options)
        except (UnreadableError, SourceError) as error:
            raise CommandError(str(error), returncode=COULD_NOT_RUN) from None
        except (OperationalError, ProgrammingError) as error:
            if isinstance(error, ProgrammingError) and _state(error) != _UNDEFINED_TABLE:
                raise
            raise CommandError(_database_trouble(error), returncode=COULD_NOT_RUN) from None
        except BrokenPipeError:
            _leave_quietly()
        if not clean:
            sys.exit(NOT_CLEAN)

    def run(self, **options: Any) -> bool:
        raise NotImplementedError


def _state(error: Exception) -> str:
    """Return PostgreSQL's code of an error; empty for another database's."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def _database_trouble(error: OperationalError | ProgrammingError) -> str:
    text = str(error).partition("\n")[0]
    if "no such table" in text or _state(error) == _UNDEFINED_TABLE:
        return f"the database is not set up ({text}); run: python manage.py migrate"
    if "locked" in text or _state(error) == _LOCK_NOT_AVAILABLE:
        return "the database is locked by another writer; try again when it is done"
    return f"the database cannot be used: {text}"


def _leave_quietly() -> NoReturn:
    """End when the reader of standard output has gone, without a traceback at interpreter shutdown."""
    sys.stderr.close()
    sys.exit(NOT_CLEAN)


def progress_bar(description: str, *, total: int | None = None, unit: str = " documents") -> "tqdm[Any]":
    """Return a progress bar on standard error, shown on a terminal only."""
    return tqdm(desc=description, total=total, unit=unit, disable=None, leave=False, delay=1)


def outcome_teller(write: Callable[[str], Any], *, verbose: bool) -> Callable[[Outcome], None]:
    """Return a function that tells the outcomes that somebody needs to know about, or all of them."""

    def tell(outcome: Outcome) -> None:
        if outcome.status is Status.REFUSED:
            for problem in outcome.problems:
                write(f"refused: {outcome.where}: {problem}")
        for conflict in outcome.conflicts:
            stored, offered = shown_both(conflict.stored, conflict.offered)
            write(
                f"conflict: {outcome.where}: {outcome.name}: {conflict.field} is kept, written by {conflict.owner}"
                f"\n  stored:  {stored}\n  offered: {offered}"
            )
        for note in outcome.notes:
            write(f"note: {outcome.where}: {outcome.name}: {note}")
        if verbose and outcome.status not in (Status.REFUSED, Status.UNCHANGED):
            write(f"{outcome.status}: {outcome.where}: {outcome.name}")

    return tell


def difference_lines(outcome: Outcome) -> str:
    """Return what a dry run would change in one document, field by field."""
    lines = [f"{outcome.status}: {outcome.name or outcome.where}"]
    lines += [f"  {item.path}: {' -> '.join(shown_both(item.old, item.new))}" for item in outcome.differences]
    return "\n".join(lines)


def shown_both(old: Any, new: Any) -> tuple[str, str]:
    """Return two values that differ, each as JSON in one line; long ones are cut around where the difference begins."""
    texts = _as_json(old), _as_json(new)
    start = max(0, common_beginning(*texts) - _SHOWN_BEFORE) if max(map(len, texts)) > SHOWN_VALUE else 0
    return _cut(texts[0], start), _cut(texts[1], start)


def _as_json(value: Any) -> str:
    return "absent" if value is ABSENT else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _cut(text: str, start: int) -> str:
    before, piece = "…" if start else "", text[start : start + SHOWN_VALUE]
    if len(before + piece) == len(text):
        return text
    return f"{before}{piece}{'…' if start + SHOWN_VALUE < len(text) else ''} ({len(text)} characters)"
