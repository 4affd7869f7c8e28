"""Management: the one command behind `load_entries`, `load_pull_requests` and `load_repositories`."""

import sys
from typing import Any, cast

from django.core.management.base import CommandParser
from django.utils import timezone

from errorkb.core import writers
from errorkb.ingest.loading import LoadOptions, load
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.management.console import ConsoleCommand, difference_lines, outcome_teller, progress_bar


class LoadCommand(ConsoleCommand):
    """Load documents of one `kind` from files, folders or standard input, and say what became of them."""

    kind = ""
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
        parser.add_argument("--atomic", action="store_true", help="load all documents, or none if one is refused")
        parser.add_argument("--dry-run", action="store_true", help="change nothing; show what would change, by field")
        parser.add_argument("--force", action="store_true", help="change fields that somebody else wrote, too")
        parser.add_argument(
            "--as", dest="tool", metavar="NAME", default="", help="who brings them; else each file itself"
        )
        parser.add_argument("--reason", default="", help="kept with the revisions")
        if self.kind == "entries":
            parser.add_argument(
                "--source",
                default="installed",
                metavar="installed|none|PATH",
                help="where snippets are read from: installed packages (default), nothing, a checkout or folder",
            )

    def run(self, **options: Any) -> bool:
        tell = outcome_teller(self.stderr.write, verbose=options["verbosity"] > 1)
        with progress_bar(f"load {self.kind}") as bar:

            def report(outcome: Outcome) -> None:
                bar.update()
                tell(outcome)
                if options["dry_run"] and outcome.status is not Status.REFUSED:
                    self.stdout.write(difference_lines(outcome))

            tally = load(
                self.kind,
                options["paths"],
                _options(options),
                clock=timezone.now,
                report=report,
                tell=self.stderr.write,
                standard_input=cast(Any, sys.stdin).buffer,
            )
        nothing = options["atomic"] and tally.counts[Status.REFUSED.value]
        self.stdout.write(f"{tally}{'; nothing was loaded (--atomic)' if nothing else ''}")
        return tally.clean


def _options(options: dict[str, Any]) -> LoadOptions:
    return LoadOptions(
        writer=writers.tool(options["tool"]) if options["tool"] else "",
        reason=options["reason"],
        force=options["force"],
        atomic=options["atomic"],
        dry_run=options["dry_run"],
        source=options.get("source", "none"),
    )
