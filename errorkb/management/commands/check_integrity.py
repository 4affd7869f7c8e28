"""Management: say what in the base does not follow from its documents."""

from typing import Any

from errorkb.ingest.integrity import find_strays
from errorkb.management.console import ConsoleCommand


class Command(ConsoleCommand):
    help = "Compare rows, links and the search index with the documents. Exit status 1 if something strays."
    example = "python manage.py check_integrity"

    def run(self, **options: Any) -> bool:
        count = 0
        for stray in find_strays():
            self.stdout.write(f"{stray.name}: {stray.text}")
            count += 1
        self.stderr.write(f"{count} strays" + ("; python manage.py rebuild_index mends them" if count else ""))
        return count == 0
