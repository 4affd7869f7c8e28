"""Core: whether a template stands in a text around a place, and which values its slots have there.

Literal parts are looked for in the text's skeleton, one after the other, nearest first; no regular expression is made
of a template. A literal that is not there does not end the search: `share` says how much was found, for pastes are
cut off and messages get reworded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from errorkb.core.skeletons import Place, Skeleton
from errorkb.core.slot_cuts import cut_gap
from errorkb.core.template_literals import Shape, shape_of, split_edges

# Letters that one slot may have, and all slots together.
MOST_SLOT_LETTERS = 2000
MOST_LETTERS = 10_000
# So many places of a literal are tried for one that begins and ends with a word.
_MOST_TRIES = 8
# Characters of the text that are read for one slot.
_MOST_VALUE = 8000

Span = tuple[int, int]


@dataclass(frozen=True)
class Fit:
    """A template found in a text.

    `start` and `end` are offsets in the skeleton, of the first literal letter found and behind the last one;
    `literal_length` is how many literal letters were found, `share` their part of all. `slot_length` counts the
    letters in the slots between literals. `spans` says where in the skeleton each literal is: None where it is not
    there or has no letters, shorter than the literal where only a part of it is there.
    """

    template: str
    start: int
    end: int
    literal_length: int
    share: float
    slot_length: int
    spans: tuple[Span | None, ...]

    @property
    def starts_with_slot(self) -> bool:
        """Say whether a slot stands before the first literal word."""
        shape = shape_of(self.template)
        return bool(shape.slots) and not shape.letters[0]

    @property
    def ends_with_slot(self) -> bool:
        """Say whether a slot stands behind the last literal word."""
        shape = shape_of(self.template)
        return bool(shape.slots) and not shape.letters[-1]


@dataclass(frozen=True)
class FitText:
    """What a fit reads like in the original lines.

    `slots` are values by name: of a slot that occurs again with another value, the next one is `name_2`. `start` and
    `end` are places in the lines that were given. `is_exact` says that all literal parts stand there as the template
    has them, white space aside.
    """

    slots: dict[str, str]
    start: Place
    end: Place
    is_exact: bool


def fit_template(
    template: str,
    skeleton: Skeleton,
    key: str,
    at: int,
    *,
    begin: int = 0,
    end: int | None = None,
    least: float = 0.0,
) -> Fit | None:
    """Return how a template stands around the place `at` of the skeleton, where its window `key` was found.

    Only the part of the skeleton from `begin` to `end` is looked at. None where the key is none of the template's, or
    less than the part `least` of its letters is there. Takes time linear in the template and MOST_LETTERS.
    """
    shape = shape_of(template)
    found = _key_place(shape, key)
    if found is None:
        return None
    anchor, offset = found
    limit = len(skeleton.letters) if end is None else end
    spans: list[Span | None] = [None] * len(shape.letters)
    spans[anchor] = _stretch(shape.letters[anchor], offset, skeleton.letters, at, begin, limit)
    _find_forward(shape, skeleton, spans, anchor, limit)
    _find_backward(shape, skeleton, spans, anchor, begin)
    return _fit(template, shape, spans, least)


def best_fit(
    template: str,
    skeleton: Skeleton,
    key: str,
    places: Sequence[int],
    *,
    begin: int = 0,
    end: int | None = None,
    least: float = 0.0,
) -> Fit | None:
    """Return the best of the fits of a template around places of its window `key`.

    That is the one with the most of it there, then the one with the shortest values, then the first.
    """
    limit = len(skeleton.letters) if end is None else end
    inside = (at for at in places if begin <= at < limit)
    fits = (fit_template(template, skeleton, key, at, begin=begin, end=end, least=least) for at in inside)
    return max((fit for fit in fits if fit), key=lambda fit: (fit.literal_length, -fit.slot_length), default=None)


def read_fit(fit: Fit, skeleton: Skeleton, *, begin: int | None = None, end: int | None = None) -> FitText:
    """Return slot values, places and exactness of a fit, from the original lines.

    A slot at either end of the template reaches to `begin` or `end` (offsets in the skeleton), else to the start or the
    end of its line.
    """
    shape = shape_of(fit.template)
    edges = list(map(split_edges, shape.texts))
    values: list[tuple[str, str]] = []
    is_exact = fit.share == 1.0 and all(
        _is_exact(core, span, skeleton) for (_, core, _), span in zip(edges, fit.spans, strict=True)
    )
    for first, last in _gaps(shape, fit.spans):
        text = _gap_text(skeleton, fit.spans, first, last, begin, end)
        is_last = last == len(edges)
        cut = cut_gap(text, _signs(edges, first, last), closed_left=first >= 0, closed_right=not is_last)
        values += zip(shape.slots[max(first, 0) : last], cut.values, strict=False)
        is_exact = is_exact and cut.is_exact
    start, stop = skeleton.place_of(fit.start), skeleton.end_of(fit.end)
    return FitText(_named(values), _given(skeleton, start), _given(skeleton, stop), is_exact)


def _key_place(shape: Shape, key: str) -> tuple[int, int] | None:
    """Return the first literal that has the key, and where in it."""
    for n, letters in enumerate(shape.letters):
        offset = letters.find(key)
        if offset >= 0:
            return n, offset
    return None


def _stretch(literal: str, offset: int, letters: str, at: int, begin: int, limit: int) -> Span:
    """Return how far a literal agrees with the text to both sides of a letter that they have in common."""
    start, end = at - offset, at - offset + len(literal)
    if begin <= start and end <= limit and letters.startswith(literal, start):
        return start, end
    after = _agreed(literal[offset:], letters[at : min(end, limit)])
    before = _agreed(literal[:offset][::-1], letters[max(start, begin) : at][::-1])
    return at - before, at + after


def _agreed(one: str, other: str) -> int:
    """Return how many letters two texts have in common at their start."""
    if other.startswith(one):
        return len(one)
    differing = (n for n, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(differing, min(len(one), len(other)))


def _find_forward(shape: Shape, skeleton: Skeleton, spans: list[Span | None], anchor: int, limit: int) -> None:
    position = _span(spans, anchor)[1]
    furthest = min(limit, position + MOST_LETTERS)
    for n in range(anchor + 1, len(spans)):
        literal = shape.letters[n]
        if not literal:
            continue
        stop = min(furthest, position + MOST_SLOT_LETTERS + len(literal))
        start = skeleton.letters.find(literal, position, stop)
        if start >= 0:
            start = _nearest(shape.texts[n], literal, skeleton, (position, stop), start, skeleton.letters.find)
            position = start + len(literal)
            spans[n] = start, position


def _find_backward(shape: Shape, skeleton: Skeleton, spans: list[Span | None], anchor: int, begin: int) -> None:
    position = _span(spans, anchor)[0]
    furthest = max(begin, position - MOST_LETTERS)
    for n in range(anchor - 1, -1, -1):
        literal = shape.letters[n]
        if not literal:
            continue
        stop = max(furthest, position - MOST_SLOT_LETTERS - len(literal))
        start = skeleton.letters.rfind(literal, stop, position)
        if start >= 0:
            start = _nearest(shape.texts[n], literal, skeleton, (stop, position), start, skeleton.letters.rfind)
            spans[n] = start, start + len(literal)
            position = start


def _nearest(
    text: str, literal: str, skeleton: Skeleton, within: Span, first: int, find: Callable[[str, int, int], int]
) -> int:
    """Return the first place of a literal, in the direction of `find`, at which it begins and ends with a word.

    Where there is none, `first` has to do. A side at which a slot touches the literal may be within a word.
    """
    found, (low, high) = first, within
    for _ in range(_MOST_TRIES):
        if _is_whole(text, literal, skeleton, found):
            return found
        if find == skeleton.letters.find:
            low = found + 1
        else:
            high = found + len(literal) - 1
        found = find(literal, low, high)
        if found < 0:
            break
    return first


def _is_whole(text: str, literal: str, skeleton: Skeleton, start: int) -> bool:
    begins = text[0].isalnum() or skeleton.starts_word(start)
    return begins and (text[-1].isalnum() or skeleton.ends_word(start + len(literal)))


def _fit(template: str, shape: Shape, spans: Sequence[Span | None], least: float) -> Fit | None:
    found = [span for span in spans if span]
    length = sum([end - start for start, end in found])
    share = length / sum(map(len, shape.letters))
    if share < least:
        return None
    start, stop = found[0][0], found[-1][1]
    return Fit(template, start, stop, length, share, stop - start - length, tuple(spans))


def _span(spans: Sequence[Span | None], position: int) -> Span:
    span = spans[position]
    assert span is not None
    return span


def _is_exact(core: str, span: Span | None, skeleton: Skeleton) -> bool:
    if span is None:
        return not core
    text = skeleton.between(skeleton.place_of(span[0]), skeleton.end_of(span[1]), _MOST_VALUE)
    return text == core or "".join(text.split()) == "".join(core.split())


def _gaps(shape: Shape, spans: Sequence[Span | None]) -> Iterator[tuple[int, int]]:
    """Yield the literals on both sides of each run of slots that can be read: -1, or one past the last, for none."""
    first = -1
    is_whole = True
    for n, literal in enumerate(shape.letters):
        if not literal:
            continue
        span = spans[n]
        found = span is not None and span[1] - span[0] == len(literal)
        if is_whole and found and n > max(first, 0):
            yield first, n
        first, is_whole = n, found
    if is_whole and first < len(shape.letters) - 1:
        yield first, len(shape.letters)


def _signs(edges: Sequence[tuple[str, str, str]], first: int, last: int) -> list[str]:
    """Return what stands between the slots of a gap that has no letters, the edges of its literals included."""
    before = edges[first][2] if first >= 0 else edges[0][0]
    after = edges[min(last, len(edges) - 1)][0]
    return [before, *(edge[0] for edge in edges[max(first, 0) + 1 : min(last, len(edges) - 1)]), after]


def _gap_text(
    skeleton: Skeleton, spans: Sequence[Span | None], first: int, last: int, begin: int | None, end: int | None
) -> str:
    start = skeleton.end_of(_span(spans, first)[1]) if first >= 0 else None
    stop = skeleton.place_of(_span(spans, last)[0]) if last < len(spans) else None
    if start is None:
        assert stop is not None
        start = _left_edge(skeleton, stop, begin)
    if stop is None:
        stop = _right_edge(skeleton, start, end)
    return skeleton.between(start, stop, _MOST_VALUE)


def _left_edge(skeleton: Skeleton, stop: Place, begin: int | None) -> Place:
    """Return where the value of a slot at the start of a template begins."""
    if begin is None:
        return Place(stop.line, 0)
    line = skeleton.line_at(begin)
    if line > stop.line or begin == skeleton.line_starts[line]:
        return Place(min(line, stop.line), 0)
    return min(skeleton.end_of(begin), stop)


def _right_edge(skeleton: Skeleton, start: Place, end: int | None) -> Place:
    """Return where the value of a slot at the end of a template ends."""
    if end is None or end <= 0:
        return Place(start.line, len(skeleton.lines[start.line]))
    last = skeleton.line_at(end - 1)
    if last < start.line:
        return Place(start.line, len(skeleton.lines[start.line]))
    return Place(last, len(skeleton.lines[last]))


def _named(values: Sequence[tuple[str, str]]) -> dict[str, str]:
    named: dict[str, str] = {}
    counts: dict[str, int] = {}
    for name, value in values:
        if value in (named.get(name), named.get(f"{name}_{counts.get(name, 1)}")):
            continue
        counts[name] = counts.get(name, 0) + 1
        named[name if counts[name] == 1 else f"{name}_{counts[name]}"] = value
    return named


def _given(skeleton: Skeleton, place: Place) -> Place:
    return Place(skeleton.numbers[place.line], place.column)
