"""Core, pull request reports: the section of key source snippets, each a path, a note and fenced code."""

from errorkb.core.pr_reports.blocks import Block, Kind
from errorkb.core.pr_reports.drafts import Draft, Prose
from errorkb.core.pr_reports.entries import Entry
from errorkb.core.pr_reports.inlines import looks_like_path, take_colon, take_parenthesis, take_path


class SnippetReader:
    """Reads snippets block by block; a path holds for all code up to the next path."""

    def __init__(self, heading: str, draft: Draft) -> None:
        self._draft = draft
        self._open("", heading)

    def take(self, block: Block) -> None:
        """Take the next block of the section."""
        if block.kind is Kind.CODE:
            self._take_code(block)
        elif not self._take_path(block):
            self._notes.add(block.raw, gap=block.gap)

    def close(self) -> None:
        """Put what was read under the last path into the draft: text behind its code joins the last note."""
        text = self._notes.text()
        if self._snippets and text:
            last = self._snippets[-1]
            last["note"] = f"{last['note']}\n\n{text}" if "note" in last else text
        elif not self._snippets and (text or self._path):
            self._draft.keep(self._heading, text)
        for snippet in self._snippets:
            self._draft.list("snippets").add(_ordered(snippet))

    def _open(self, path: str, heading: str) -> None:
        self._path = path
        self._heading = heading
        self._notes = Prose()
        self._snippets: list[Entry] = []

    def _take_path(self, block: Block) -> bool:
        found = take_path(block.text)
        if not found:
            return False
        path, rest = found
        behind = take_colon(rest)
        if block.kind is not Kind.HEADING and not _is_path_line(path, rest):
            return False
        if path != self._path or self._snippets:
            self.close()
            self._open(path, f"`{path}`" if rest.strip() else block.text)
        self._notes.add(rest.strip() if behind is None else behind)
        return True

    def _take_code(self, block: Block) -> None:
        language, _, named = block.info.strip("{}").removeprefix(".").partition(" ")
        language, _, glued = language.partition(":")
        path = self._path or next((text for text in (named.strip(), glued) if looks_like_path(text)), "")
        snippet: Entry = {"path": path, "language": language, "note": self._notes.text()}
        self._snippets.append({**{name: value for name, value in snippet.items() if value}, "code": block.text})
        self._notes = Prose(seen=self._notes.seen)


def _is_path_line(path: str, rest: str) -> bool:
    """Tell a line that states a path, alone or with a note behind a colon, from a sentence that begins with one."""
    parenthesis = take_parenthesis(rest.lstrip())
    behind = parenthesis[1] if parenthesis else rest
    return path.isascii() and looks_like_path(path) and (not behind.strip() or take_colon(behind) is not None)


def _ordered(snippet: Entry) -> Entry:
    return {name: snippet[name] for name in ("path", "language", "note", "code") if name in snippet}
