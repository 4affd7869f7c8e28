"""Management: the one command behind `export_entries`, `export_pull_requests` and `export_repositories`."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from errorkb.core.json_documents import dump_document
from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.management.console import COULD_NOT_RUN, ConsoleCommand, progress_bar


class ExportCommand(ConsoleCommand):
    """Write documents of one `kind` as NDJSON, or as one file each, equal to what was loaded."""

    kind = ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repository", default="", metavar="OWNER/NAME", help="of this repository only")
        parser.add_argument("--split", metavar="DIR", help="one indented file a document, for review in git")
        if self.kind == "entries":
            parser.add_argument("--computed", action="store_true", help="add what the site works out beside them")
            parser.add_argument("--ids", action="store_true", help="add minted ids and aliases, to keep them elsewhere")

    def run(self, **options: Any) -> bool:
        rows = exported_rows(self.kind, options["repository"])
        documents = export_documents(
            rows, with_computed=options.get("computed", False), with_ids=options.get("ids", False)
        )
        with progress_bar(f"export {self.kind}", total=rows.count()) as bar:
            for name, document in documents:
                self._put(name, document, options["split"])
                bar.update()
        return True

    def _put(self, name: str, document: dict[str, Any], folder: str | None) -> None:
        if folder is None:
            self.stdout.write(dump_document(document))
            return
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            text = json.dumps(document, ensure_ascii=False, indent=2)
            (Path(folder) / f"{name}.json").write_text(text + "\n", "utf-8")
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}", returncode=COULD_NOT_RUN) from None
