"""Management: make every column, token and index anew from the documents."""

from typing import Any

from django.core.management.base import CommandParser
from django.db import connection

from errorkb.ingest.integrity import quotes_are_missing, rebuild_quotes, rebuild_rows
from errorkb.ingest.wordings import are_missing
from errorkb.management.console import ConsoleCommand, progress_bar
from errorkb.models import ErrorEntry, PullRequest
from errorkb.search import schema, vocabulary


class Command(ConsoleCommand):
    help = "Make all that is worked out from documents anew, the search index included. Readers are not disturbed."
    example = "python manage.py rebuild_index"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-needed", action="store_true", help="only where a new version needs what is not there")

    def run(self, **options: Any) -> bool:
        if options["if_needed"] and not are_missing():
            if quotes_are_missing():
                rebuild_quotes()
            vocabulary.refresh_if_grown()
            return True
        schema.install(connection)
        total = ErrorEntry.objects.count() + PullRequest.objects.count()
        with progress_bar("rebuild", total=total) as bar:
            done = rebuild_rows(bar.update)
        schema.rebuild(connection)
        vocabulary.refresh()
        self.stdout.write(f"{done} documents indexed anew")
        return True
