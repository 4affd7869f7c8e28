"""Web pages: a reader's own text with what was found in it marked; of a long one, the lines around the marks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.message_templates import Part, TemplateError, parse_template
from errorkb.core.rendering import render_plain
from errorkb.matching.results import Match

# A text of so many lines is shown whole; of a longer one so many lines before and after each mark.
WHOLE = 40
AROUND = 3
# So many lines are shown open, so many more can be unfolded in one place, and of each so many characters.
MAX_SHOWN = 300
MAX_FOLDED = 200
MAX_WIDTH = 1_000
# A value stands at most so many characters behind the literal text before it.
_MAX_DISTANCE = 2_000
# By so much of a message is it found in its line, behind what a log puts before it.
_BEGINNING = 30


@dataclass(frozen=True)
class ShownLine:
    """A line of the text: `mark` is message, frame or nothing; `match` is the number of the match it belongs to."""

    number: int
    html: SafeString
    mark: str = ""
    match: int = 0


@dataclass(frozen=True)
class Stretch:
    """Lines that are shown, or that are folded away: then `left_out` is how many, though not all can be unfolded."""

    lines: tuple[ShownLine, ...]
    left_out: int = 0

    @property
    def note(self) -> str:
        lines = "line" if self.left_out == 1 else "lines"
        only = f", the first {len(self.lines)} of them here" if self.lines and len(self.lines) < self.left_out else ""
        return f"{self.left_out:,} {lines}{only}"


Span = tuple[int, int]


def shown_paste(text: str, matches: Mapping[int, Match]) -> tuple[Stretch, ...]:
    """Return a text in stretches, with the lines of messages and of throwing frames marked.

    `matches` are those to mark, better ones first, by the number that their marks show.
    """
    lines = text.removesuffix("\n").split("\n")
    return tuple(_MarkedText(lines, _marks(matches, len(lines)), _slots(lines, matches.values())).stretches())


def filled_message(match: Match) -> SafeString:
    """Return a match's wording with the values of the text in its slots; nothing where it was found without one."""
    parts = _parts(match.template)
    pieces = [_filled(part, match) for part in parts]
    return mark_safe("".join(pieces))


def _filled(part: Part, match: Match) -> str:
    if part.slot is None:
        return render_plain(part.text)
    slot = match.slots.get(part.slot)
    if slot is None:
        return f'<var class="slot">{render_plain("{" + part.slot + "}")}</var>'
    name = render_plain(part.slot).replace('"', "&quot;")
    return f'<var class="slot" title="{name}">{render_plain(slot.value[:MAX_WIDTH])}</var>'


def _parts(template: str) -> tuple[Part, ...]:
    try:
        return parse_template(template) if len(template) <= 32_768 else ()
    except TemplateError:
        return ()


@dataclass(frozen=True)
class _MarkedText:
    """The lines of a text; by line number what is marked for which match, and which pieces stand in slots."""

    lines: Sequence[str]
    marks: Mapping[int, tuple[str, int]]
    slots: Mapping[int, Sequence[Span]]

    def stretches(self) -> Iterator[Stretch]:
        """Yield the open lines, and before, between and behind them what is folded."""
        position = 1
        for run in _runs(self._open_numbers()):
            if run.start > position:
                yield self._folded(position, run.start)
            yield Stretch(tuple(map(self._line, run)))
            position = run.stop
        if position <= len(self.lines):
            yield self._folded(position, len(self.lines) + 1)

    def _open_numbers(self) -> list[int]:
        count = len(self.lines)
        if count <= WHOLE:
            return list(range(1, count + 1))
        centres = sorted(self.marks)[:MAX_SHOWN] or [1]
        around = {number for centre in centres for number in range(centre - AROUND, centre + AROUND + 1)}
        return sorted(number for number in around if 1 <= number <= count)[:MAX_SHOWN]

    def _folded(self, first: int, end: int) -> Stretch:
        return Stretch(tuple(map(self._line, range(first, min(end, first + MAX_FOLDED)))), left_out=end - first)

    def _line(self, number: int) -> ShownLine:
        mark, match = self.marks.get(number, ("", 0))
        html = _line_html(self.lines[number - 1], self.slots.get(number, ()))
        return ShownLine(number, mark_safe(html), mark, match)


def _runs(numbers: Sequence[int]) -> Iterator[range]:
    """Yield the runs of numbers that follow each other."""
    start = 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or numbers[index] != numbers[index - 1] + 1:
            yield range(numbers[start], numbers[index - 1] + 1)
            start = index


def _line_html(line: str, slots: Sequence[Span]) -> str:
    """Return a line as HTML, its slots set apart; of a long one the piece with the first slot in it."""
    line = line.rstrip("\r")
    first = max(0, slots[0][0] - MAX_WIDTH // 4) if slots and len(line) > MAX_WIDTH else 0
    last = min(len(line), first + MAX_WIDTH)
    pieces, position = ["…" if first else ""], first
    for start, end in slots:
        if position <= start < last:
            end = min(end, last)
            pieces += [render_plain(line[position:start]), f'<var class="slot">{render_plain(line[start:end])}</var>']
            position = end
    return "".join((*pieces, render_plain(line[position:last]), "…" if last < len(line) else ""))


def _marks(matches: Mapping[int, Match], line_count: int) -> dict[int, tuple[str, int]]:
    """Return what each marked line is to which match; the better match's mark stays."""
    marks: dict[int, tuple[str, int]] = {}
    for name, match in matches.items():
        for number in match.numbers or (match.occurrence.number,):
            marks.setdefault(number, ("message", name))
    for name, match in matches.items():
        for frame in match.occurrence.frames[-1:]:
            marks.setdefault(frame.number, ("frame", name))
    return {number: mark for number, mark in marks.items() if 1 <= number <= line_count}


def _slots(lines: Sequence[str], matches: Iterable[Match]) -> dict[int, list[Span]]:
    """Return where in each marked line the values of slots stand; of matches on the same line, the better one's."""
    found: dict[int, list[Span]] = {}
    for match in matches:
        numbers = [number for number in match.numbers if 1 <= number <= len(lines) and number not in found]
        if numbers and len(numbers) == len(match.numbers):
            texts = [lines[number - 1] for number in numbers]
            found |= dict(zip(numbers, _by_line(texts, _slot_places("\n".join(texts), match)), strict=True))
    return found


def _slot_places(text: str, match: Match) -> list[Span]:
    """Return where the slots' values stand in the lines of a message: each behind the literal text before it."""
    beginning = match.occurrence.message.partition("\n")[0][:_BEGINNING]
    position, places = max(0, text.find(beginning)) if beginning else 0, []
    for part in _parts(match.template):
        sought = part.text.strip() if part.slot is None else _value(match, part.slot)
        start = text.find(sought, position, position + len(sought) + _MAX_DISTANCE) if sought else -1
        if start < 0:
            continue
        position = start + len(sought)
        if part.slot is not None:
            places.append((start, position))
    return places


def _value(match: Match, name: str) -> str:
    slot = match.slots.get(name)
    return slot.value if slot else ""


def _by_line(texts: Sequence[str], places: Sequence[Span]) -> list[list[Span]]:
    """Return places in joined lines as places in each of them."""
    cut, offset = [], 0
    for text in texts:
        end = offset + len(text)
        inside = [(max(start, offset) - offset, min(stop, end) - offset) for start, stop in places]
        cut.append([(start, stop) for start, stop in inside if start < stop])
        offset = end + 1
    return cut
