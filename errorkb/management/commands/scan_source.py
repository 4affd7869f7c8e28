"""Management: scan a checkout, a folder or an installed package: one entry for every error that it can throw."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from errorkb.core.json_documents import dump_document
from errorkb.ingest.outcomes import Outcome
from errorkb.ingest.scanned import CommitLinks, TooManyRemovedError
from errorkb.ingest.scans.scanning import ScanRequest, keep_known_ids, scan_documents, scan_into_base
from errorkb.ingest.walks.walking import Watchers, walk_releases
from errorkb.management.console import COULD_NOT_RUN, ConsoleCommand, progress_bar
from errorkb.scanning.scan import ScanSummary
from errorkb.scanning.trees import TreeError

_SHOWN_PROBLEMS = 50


class Command(ConsoleCommand):
    help = "Read source and store one entry for every throw site, or write them as NDJSON."
    example = "python manage.py scan_source ../sglang --path-prefix python/"

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("path", nargs="?", metavar="PATH", help="a git checkout, or a folder with --release")
        what.add_argument("--package", metavar="NAME", help="a distribution installed beside this site")
        parser.add_argument("--repository", default="", metavar="OWNER/NAME", help="else the remote's or metadata's")
        parser.add_argument("--release", default="", metavar="TAG", help="the tag that the source is")
        parser.add_argument(
            "--releases",
            action="append",
            default=[],
            metavar="GLOB",
            help="all tags that match, such as 'v*'",
        )
        parser.add_argument("--path-prefix", metavar="P", help="put before each path, as it is in the repository")
        parser.add_argument("--include", action="append", default=[], choices=["test", "vendored", "generated"])
        parser.add_argument("--allow-dirty", action="store_true", help="read uncommitted changes, too")
        parser.add_argument("--allow-removals", action="store_true", help="mark over a tenth of the entries as removed")
        parser.add_argument("--workers", type=int, metavar="N", help="processes that read files (default: one a core)")
        parser.add_argument("--output", choices=["ndjson"], help="write documents and touch no database")
        parser.add_argument("--known", metavar="FILE", help="with --output: entries whose ids are to be kept")
        parser.add_argument("--no-commits", action="store_true", help="do not ask git who made the changes")
        parser.add_argument("--strict", action="store_true", help="exit status 1 if a file was passed over")

    def run(self, **options: Any) -> bool:
        request = _request(options)
        if options["releases"] and (options["release"] or options["package"] or options["output"]):
            raise CommandError(
                "--releases walks through tags: it goes without --release, --package and --output",
                returncode=COULD_NOT_RUN,
            )
        try:
            if options["releases"]:
                return self._walk(request, options)
            if options["output"]:
                return self._write_documents(request, options)
            return self._store(request, options)
        except (TreeError, TooManyRemovedError) as error:
            raise CommandError(str(error), returncode=COULD_NOT_RUN) from None

    def _write_documents(self, request: ScanRequest, options: dict[str, Any]) -> bool:
        with progress_bar("scan") as bar:

            def follow(done: int) -> None:
                bar.update(done - bar.n)

            found = scan_documents(request, progress=follow)
        documents: Iterator[dict[str, Any]] = iter(found.documents)
        if options["known"]:
            documents = keep_known_ids(found, options["known"])
        for document in documents:
            self.stdout.write(dump_document(document))
        self._tell(found.summary)
        return not (options["strict"] and found.summary.problems)

    def _store(self, request: ScanRequest, options: dict[str, Any]) -> bool:
        with progress_bar("scan") as bar:
            found, report = scan_into_base(
                request, clock=timezone.now, allow_removals=options["allow_removals"], progress=bar.update
            )
        if options["verbosity"]:
            self._tell(found.summary)
        self._tell_refused(report.refused)
        counts = ", ".join(f"{report.counts[name]} {name}" for name in _BECAME)
        if options["verbosity"]:
            self.stdout.write(f"{counts}, {len(report.refused)} refused")
            self._tell_commits(report.commits)
        return not report.refused and not (options["strict"] and found.summary.problems)

    def _tell_commits(self, told: CommitLinks) -> None:
        """Say for how many changes the commit was found, and why it was not for all."""
        if told.asked:
            more = f" ({told.cut})" if told.cut else ""
            self.stderr.write(f"commits found for {told.found} of {told.asked} changes{more}")

    def _walk(self, request: ScanRequest, options: dict[str, Any]) -> bool:
        with progress_bar("walk", unit=" releases") as bar:

            def begin(count: int) -> None:
                bar.reset(total=count)

            def done(release: str) -> None:
                bar.update()
                bar.set_postfix_str(release)

            report = walk_releases(
                request,
                options["releases"],
                clock=timezone.now,
                allow_removals=options["allow_removals"],
                watchers=Watchers(begin, done),
            )
        self._tell_refused(report.refused)
        for problem in report.problems:
            self.stderr.write(f"passed over: {problem}")
        if options["verbosity"]:
            told = {name: report.counts[name] for name in ("walked", "known", "seen", "new")}
            self.stdout.write(
                "{walked} releases walked, {known} known before; {seen} sites in them, {new} new entries".format(**told)
            )
            self._tell_commits(report.commits)
        if report.stopped:
            self.stderr.write("stopped; the same command goes on from here")
        return not (report.refused or report.problems or report.stopped)

    def _tell_refused(self, refused: Iterable[Outcome]) -> None:
        for outcome in refused:
            self.stderr.write(f"refused: {outcome.where}: {'; '.join(map(str, outcome.problems))}")

    def _tell(self, summary: ScanSummary) -> None:
        for problem in summary.problems[:_SHOWN_PROBLEMS]:
            line = f":{problem.line}" if problem.line else ""
            self.stderr.write(f"passed over: {problem.path}{line}: {problem.text}")
        if len(summary.problems) > _SHOWN_PROBLEMS:
            self.stderr.write(f"passed over: {len(summary.problems) - _SHOWN_PROBLEMS} more")
        left_out = ", ".join(f"{count} {name}" for name, count in sorted(summary.left_out.items()))
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(summary.kinds.items()))
        texts = ", ".join(f"{summary.texts.get(name, 0)} {name}" for name in ("full", "partly", "none"))
        self.stderr.write(
            f"{summary.files} files, {summary.lines} lines in {summary.seconds:.1f} s "
            f"({summary.lines_a_second} a second); left out: {left_out or 'none'}\n"
            f"sites: {kinds or 'none'}; texts known: {texts}"
        )


_BECAME = ("new", "seen", "moved", "reworded", "returned", "removed")


def _request(options: dict[str, Any]) -> ScanRequest:
    return ScanRequest(
        path=options["path"] or "",
        package=options["package"] or "",
        repository=options["repository"],
        release=options["release"],
        path_prefix=options["path_prefix"],
        include=frozenset(options["include"]),
        allow_dirty=options["allow_dirty"],
        workers=options["workers"],
        cache_folder=Path(settings.VAR_DIR) / "scans",
        reason=" ".join(sys.argv[1:])[:200],
        commits=not options["no_commits"],
    )
