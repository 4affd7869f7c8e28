"""Core: what a template that was found in a text reads like there: the values of its slots, and whether it is exact."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errorkb.core.skeletons import Place, Skeleton
from errorkb.core.slot_cuts import are_blanks_alike, cut_gap, is_plausible
from errorkb.core.template_fits import Fit, Span
from errorkb.core.template_literals import Shape, shape_of, split_edges

# Characters of the text that are read for one slot.
_MOST_VALUE = 8000


@dataclass(frozen=True)
class FitText:
    """What a fit reads like in the original lines.

    `slots` are values by name: of a slot that occurs again with another value, the next one is `name_2`. `start` and
    `end` are places in the lines that were given. `is_exact` says that all literal parts stand there as the template
    has them, white space aside but for runs of blanks; `is_plausible`, that the values may be such, and not the rest of
    another message; `is_filled`, that no slot before the last words is empty.
    """

    slots: dict[str, str]
    start: Place
    end: Place
    is_exact: bool
    is_plausible: bool
    is_filled: bool


def read_fit(fit: Fit, skeleton: Skeleton, *, begin: int | None = None, end: int | None = None) -> FitText:
    """Return slot values, places and exactness of a fit, from the original lines.

    A slot at either end of the template reaches to `begin` or `end` (offsets in the skeleton), else to the start or the
    end of its line.
    """
    shape = shape_of(fit.template)
    edges = list(map(split_edges, shape.texts))
    values: list[tuple[str, str]] = []
    are_plausible = are_filled = True
    is_exact = fit.share == 1.0 and all(
        _is_exact(core, span, skeleton) for (_, core, _), span in zip(edges, fit.spans, strict=True)
    )
    for first, last in _gaps(shape, fit):
        text = _gap_text(skeleton, fit.spans, first, last, begin, end)
        is_last = last == len(edges)
        signs = _signs(edges, first, last)
        cut = cut_gap(text, signs, closed_left=first >= 0, closed_right=not is_last)
        values += zip(shape.slots[max(first, 0) : last], cut.values, strict=False)
        is_exact = is_exact and cut.is_exact
        are_filled = are_filled and (is_last or all(cut.values))
        are_plausible = are_plausible and _are_plausible(cut.values, signs, is_last=is_last)
    start, stop = skeleton.place_of(fit.start), skeleton.end_of(fit.end)
    return FitText(_named(values), _given(skeleton, start), _given(skeleton, stop), is_exact, are_plausible, are_filled)


def _span(spans: Sequence[Span | None], position: int) -> Span:
    span = spans[position]
    assert span is not None
    return span


def _is_exact(core: str, span: Span | None, skeleton: Skeleton) -> bool:
    if span is None:
        return not core
    text = skeleton.between(skeleton.place_of(span[0]), skeleton.end_of(span[1]), _MOST_VALUE)
    return text == core or (are_blanks_alike(text, core) and "".join(text.split()) == "".join(core.split()))


def _gaps(shape: Shape, fit: Fit) -> Iterator[tuple[int, int]]:
    """Yield the literals on both sides of each run of slots that can be read: -1, or one past the last, for none."""
    first = -1
    is_whole = True
    for n, literal in enumerate(shape.letters):
        if not literal:
            continue
        span = fit.spans[n]
        found = span is not None and span[1] - span[0] == fit.found[n] == len(literal)
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


def _are_plausible(values: Sequence[str], signs: Sequence[str], *, is_last: bool) -> bool:
    """Say whether values may be such. The last one of a template goes on for as long as the message does; the others of
    its gap are on the line on which that begins.
    """
    *others, last = values
    if not is_last:
        return all(map(is_plausible, values, signs))
    is_broken = any("\n" in value for value in others)
    return not is_broken and all(map(is_plausible, [*others, last.split("\n", 1)[0]], signs))


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
