"""Web pages: a pull request's report, section by section, in the order of the contract."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import KeyFile as KeyFileDocument
from errorkb.core.documents import PullRequestDocument, Report, ReportSnippet
from errorkb.models import PullRequest
from errorkb.web.pages.entries.code import code_block
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import Fragments
from errorkb.web.pages.pull_requests.report_blocks import (
    Block,
    Files,
    KeyFile,
    Names,
    Prose,
    PullRequests,
    RelatedPullRequest,
    Section,
    SourceSnippet,
    Steps,
    Topic,
    Topics,
    Trait,
)
from errorkb.web.pages.pull_requests.report_labels import labels_for
from errorkb.web.pages.pull_requests.report_links import FilePin, PullRequestIndex, file_link

_TRAITS = ("module", "category", "type")


@dataclass(frozen=True)
class ReportReader:
    """A document with everything that its sections are made from."""

    row: PullRequest
    document: PullRequestDocument
    fragments: Fragments
    pin: FilePin
    index: PullRequestIndex

    def sections(self) -> tuple[Section, ...]:
        """Return the sections that have something in them."""
        labels = self.labels
        known = (
            Section("summary", labels["summary"], tuple(self._summary())),
            Section("motivation", labels["motivation"], tuple(self._prose("motivation"))),
            Section("implementation", labels["implementation"], tuple(self._implementation())),
            Section("snippets", labels["snippets"], tuple(self._snippets())),
            Section("discussion", labels["discussion"], tuple(self._discussion())),
            Section("risks", labels["risks"], tuple(self._risks())),
            Section("related", labels["related"], tuple(self._related())),
        )
        return tuple(section for section in (*known, *self._others()) if section.blocks)

    @property
    def report(self) -> Report:
        return self.document.report or Report()

    @property
    def labels(self) -> dict[str, str]:
        return labels_for(self.report.language or "en")

    def _html(self, name: str) -> SafeString:
        return mark_safe(self.fragments.prose.get(name, ""))

    def _prose(self, name: str, *, label: str = "", is_lead: bool = False) -> Iterator[Block]:
        html = self._html(f"report.{name}")
        if html:
            yield Prose(html, label, is_lead)

    def _summary(self) -> Iterator[Block]:
        yield from self._prose("summary", is_lead=True)
        yield from self._prose("recommendation", label=self.labels["recommendation"])

    def _implementation(self) -> Iterator[Block]:
        steps = (self.report.implementation or [])[:SHOWN_ITEMS]
        if steps:
            yield Steps(tuple(self._html(f"report.implementation[{number}]") for number in range(len(steps))))
        files = (self.report.key_files or [])[:SHOWN_ITEMS]
        if files:
            shown = tuple(self._file(number, file) for number, file in enumerate(files))
            yield Files(self.labels["key_files"], self.pin.note, shown)
        yield from self._names("key_symbols", self.report.key_symbols, is_code=True)

    def _file(self, number: int, file: KeyFileDocument) -> KeyFile:
        labels = self.labels
        traits = [Trait(labels[name], value) for name in _TRAITS if (value := getattr(file, name))]
        if file.symbols:
            traits.append(Trait(labels["symbols"], ", ".join(file.symbols[:SHOWN_ITEMS])))
        note = self._html(f"report.key_files[{number}].note")
        return KeyFile(file_link(self.row, file.path, self.pin), tuple(traits), note)

    def _names(self, name: str, names: list[str] | None, *, is_code: bool = False) -> Iterator[Block]:
        if names:
            yield Names(self.labels[name], tuple(names[:SHOWN_ITEMS]), is_code)

    def _snippets(self) -> Iterator[Block]:
        told = {file.note for file in (self.report.key_files or [])[:SHOWN_ITEMS]}
        for number, snippet in enumerate((self.report.snippets or [])[:SHOWN_ITEMS]):
            yield self._snippet(number, snippet, with_note=snippet.note not in told)
            told.add(snippet.note)

    def _snippet(self, number: int, snippet: ReportSnippet, *, with_note: bool) -> SourceSnippet:
        name = f"report.snippets[{number}]"
        code = self.fragments.code[f"{name}.code"]
        return SourceSnippet(
            path=file_link(self.row, snippet.path, self.pin) if snippet.path else None,
            note=self._html(f"{name}.note") if with_note else mark_safe(""),
            code=code_block(code, f"snippet-{number + 1}", language=snippet.language or ""),
        )

    def _discussion(self) -> Iterator[Block]:
        yield from self._prose("discussion.summary")
        discussion = self.report.discussion
        topics = ((discussion and discussion.topics) or [])[:SHOWN_ITEMS]
        if topics:
            yield Topics(
                tuple(
                    Topic(topic.title or "", topic.kind or "", self._html(f"report.discussion.topics[{number}].note"))
                    for number, topic in enumerate(topics)
                )
            )

    def _risks(self) -> Iterator[Block]:
        yield from self._prose("risk", label=self.labels["risk"])
        yield from self._prose("impact", label=self.labels["impact"])
        yield from self._names("risk_flags", self.report.risk_flags)

    def _related(self) -> Iterator[Block]:
        shown = []
        if origin := self.document.introduced_by:
            tag = self.labels["introduced_by"]
            shown.append(self._pull_request(origin.repository, origin.number, None, mark_safe(""), tag))
        for number, item in enumerate((self.document.related or [])[:SHOWN_ITEMS]):
            note = self._html(f"related[{number}].note")
            shown.append(self._pull_request(item.repository, item.number, item.title, note))
        if shown:
            yield PullRequests(tuple(shown))

    def _pull_request(
        self, name: str | None, number: int, title: str | None, note: SafeString, tag: str = ""
    ) -> RelatedPullRequest:
        row = self.index.row(name, number)
        known = title or (row.title if row else "")
        return RelatedPullRequest(
            link=self.index.link(name, number),
            title=known or "title not given",
            has_title=bool(known),
            note=note,
            tag=tag,
        )

    def _others(self) -> Iterator[Section]:
        for number, section in enumerate((self.report.sections or [])[:SHOWN_ITEMS]):
            html = self._html(f"report.sections[{number}].body")
            yield Section(f"section-{number + 1}", section.heading, (Prose(html),))
