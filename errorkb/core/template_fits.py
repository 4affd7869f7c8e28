"""Core: whether a template stands in a text around a place.

Literal parts are looked for in the text's skeleton, one after the other, nearest first; no regular expression is made
of a template. A literal that is not there does not end the search: `share` says how much was found, for pastes are
cut off and messages get reworded.
"""

from collections.abc import Sequence
from typing import NamedTuple

from errorkb.core.skeletons import Skeleton, words_of
from errorkb.core.template_literals import Shape, shape_of

# Letters that one slot may have, and all slots together.
MOST_SLOT_LETTERS = 2000
MOST_LETTERS = 10_000
# A literal of fewer letters stands in many a word.
_SHORT = 4
# So many places of a literal are tried for one that begins and ends with a word.
_MOST_TRIES = 8
# A literal that is not there as a whole is looked for in pieces of so many letters, but only where so many of the first
# one are there: a few words in common are no reason to look closer.
PIECE = 24
LEAST_PIECE = 12
_PROMISING = 20

Span = tuple[int, int]


class Fit(NamedTuple):
    """A template found in a text.

    `start` and `end` are offsets in the skeleton, of the first literal letter found and behind the last one;
    `literal_length` is how many literal letters were found, `share` their part of all. `slot_length` counts the
    letters between them that are not theirs. `spans` says where in the skeleton each literal is, from the first of its
    letters that are there to the last one: None where none are. `found` counts those letters for each literal.
    """

    template: str
    start: int
    end: int
    literal_length: int
    share: float
    slot_length: int
    spans: tuple[Span | None, ...]
    found: tuple[int, ...]

    @property
    def starts_with_slot(self) -> bool:
        """Say whether a slot stands before the first literal word."""
        shape = shape_of(self.template)
        return bool(shape.slots) and not shape.letters[0]


def fit_template(
    template: str,
    skeleton: Skeleton,
    key: str,
    at: int,
    *,
    begin: int = 0,
    end: int | None = None,
    least: int = 0,
) -> Fit | None:
    """Return how a template stands around the place `at` of the skeleton, where its window `key` was found.

    Only the part of the skeleton from `begin` to `end` is looked at. None where the key is none of the template's, or
    fewer than `least` letters and less than half of the template are there. Takes time linear in the template and
    MOST_LETTERS.
    """
    return best_fit(template, skeleton, key, [at], begin=begin, end=end, least=least)


def whole_places(template: str, skeleton: Skeleton, key: str, places: Sequence[int]) -> list[int]:
    """Return those of the places of a template's window `key` around which all of its literals follow each other.

    Much cheaper than to fit it; `fit_whole` does so there.
    """
    shape, letters = shape_of(template), skeleton.letters
    anchor, offset = _key_place(shape, key)
    literal = shape.letters[anchor]
    near = [at for at in places if letters.startswith(literal, at - offset) and at >= offset] if anchor >= 0 else []
    return [at for at in near if _may_stand_whole(shape, letters, anchor, at - offset)]


def fit_whole(template: str, skeleton: Skeleton, key: str, at: int) -> Fit | None:
    """Return how a template stands around the place `at`, where its window `key` is, None unless all of it is there.

    It is what `fit_template` returns there.
    """
    shape = shape_of(template)
    anchor, offset = _key_place(shape, key)
    if anchor < 0 or not _may_stand_whole(shape, skeleton.letters, anchor, at - offset):
        return None
    search = _Search(shape, skeleton, 0, len(skeleton.letters))
    search.anchor(anchor, offset, at, (offset, len(shape.letters[anchor]) - offset))
    search.forward()
    search.backward()
    return search.fit(template)


def _may_stand_whole(shape: Shape, letters: str, anchor: int, low: int) -> bool:
    """Say whether all literals of a template follow each other around one of them, which is to begin at `low`."""
    if low < 0 or not letters.startswith(shape.letters[anchor], low):
        return False
    high = low + len(shape.letters[anchor])
    for literal in filter(None, shape.letters[anchor + 1 :]):
        found = letters.find(literal, high, high + MOST_SLOT_LETTERS + len(literal))
        if found < 0:
            return False
        high = found + len(literal)
    for literal in filter(None, reversed(shape.letters[:anchor])):
        low = letters.rfind(literal, max(0, low - MOST_SLOT_LETTERS - len(literal)), low)
        if low < 0:
            return False
    return True


def best_fit(
    template: str,
    skeleton: Skeleton,
    key: str,
    places: Sequence[int],
    *,
    begin: int = 0,
    end: int | None = None,
    least: int = 0,
) -> Fit | None:
    """Return the best of the fits of a template around places of its window `key`.

    That is the one with the most of it there, then the one with the shortest values, then the first.
    """
    shape = shape_of(template)
    anchor, offset = _key_place(shape, key)
    if anchor < 0:
        return None
    limit = len(skeleton.letters) if end is None else end
    least = min(least, (shape.letter_count + 1) // 2)
    best: Fit | None = None
    literal = shape.letters[anchor]
    needed = least - (shape.letter_count - len(literal))
    for at in _likely(literal, offset, skeleton.letters, places, begin, limit):
        agreed = _stretch(literal, offset, key, skeleton.letters, at, begin, limit)
        if sum(agreed) < min(needed, _PROMISING):
            continue
        search = _Search(shape, skeleton, begin, limit)
        search.anchor(anchor, offset, at, agreed)
        search.forward()
        search.backward()
        if sum(search.found) >= least:
            best = _better(best, search.fit(template))
    return best


def _key_place(shape: Shape, key: str) -> tuple[int, int]:
    """Return the first literal that has the key, and where in it; -1 for none."""
    for n, letters in enumerate(shape.letters):
        offset = letters.find(key)
        if offset >= 0:
            return n, offset
    return -1, -1


def _likely(literal: str, offset: int, letters: str, places: Sequence[int], begin: int, end: int) -> Sequence[int]:
    """Return the places of a literal's letter at which all of it stands; where there is none, the first places."""
    inside = [at for at in places if begin <= at < end]
    whole = [at for at in inside if at >= offset and letters.startswith(literal, at - offset)]
    return whole or inside[:_MOST_TRIES]


def _better(one: Fit | None, other: Fit) -> Fit:
    if one is None or (other.literal_length, -other.slot_length) > (one.literal_length, -one.slot_length):
        return other
    return one


class _Search:
    """The search for one template around one place."""

    __slots__ = ("begin", "end", "first", "found", "high", "is_promising", "low", "shape", "skeleton", "spans")

    def __init__(self, shape: Shape, skeleton: Skeleton, begin: int, end: int) -> None:
        self.shape = shape
        self.skeleton = skeleton
        self.begin, self.end = begin, end
        self.spans: list[Span | None] = [None] * len(shape.letters)
        self.found = [0] * len(shape.letters)
        self.first = self.low = self.high = 0
        self.is_promising = False

    def anchor(self, position: int, offset: int, at: int, agreed: tuple[int, int]) -> None:
        """Begin with the literal whose letter at `offset` stands at the place `at`, as do the letters around it."""
        literal, (before, after) = self.shape.letters[position], agreed
        self.first, self.low, self.high = position, at - before, at + after
        self.is_promising = before + after >= min(len(literal), _PROMISING)
        self._keep(position, self.low, self.high, before + after)
        if before + after < len(literal) and self.is_promising:
            self._rest(position, offset - before, offset + after)

    def forward(self) -> None:
        """Look for the literals behind the anchor."""
        furthest = min(self.end, self.high + MOST_LETTERS)
        for n in range(self.first + 1, len(self.spans)):
            literal = self.shape.letters[n]
            if not literal:
                continue
            stop = min(furthest, self.high + MOST_SLOT_LETTERS + len(literal))
            start = self.skeleton.letters.find(literal, self.high, stop)
            if start >= 0:
                start = self._leftmost(n, start, stop)
                self._keep_word(n, start)
            elif self.is_promising:
                self._pieces_forward(n, _pieces(self.shape.texts[n]), stop)

    def backward(self) -> None:
        """Look for the literals before the anchor."""
        furthest = max(self.begin, self.low - MOST_LETTERS)
        for n in range(self.first - 1, -1, -1):
            literal = self.shape.letters[n]
            if not literal:
                continue
            stop = max(furthest, self.low - MOST_SLOT_LETTERS - len(literal))
            start = self.skeleton.letters.rfind(literal, stop, self.low)
            if start >= 0:
                start = self._rightmost(n, start, stop)
                self._keep_word(n, start)
            elif self.is_promising:
                self._pieces_backward(n, _pieces(self.shape.texts[n]), stop)

    def fit(self, template: str) -> Fit:
        length = sum(self.found)
        share, rest = length / self.shape.letter_count, self.high - self.low - length
        return Fit(template, self.low, self.high, length, share, rest, tuple(self.spans), tuple(self.found))

    def _keep_word(self, position: int, start: int) -> None:
        """Keep a literal that is there as a whole; a short one only where it is a word."""
        size = len(self.shape.letters[position])
        if size >= _SHORT or self._is_whole(position, start):
            self._keep(position, start, start + size, size)

    def _keep(self, position: int, start: int, end: int, count: int) -> None:
        known = self.spans[position]
        self.spans[position] = (min(start, known[0]), max(end, known[1])) if known else (start, end)
        self.found[position] += count
        self.low, self.high = min(self.low, start), max(self.high, end)

    def _rest(self, position: int, before: int, after: int) -> None:
        """Look for the pieces of the anchor that stand before and behind a part of it that was found."""
        pieces = _pieces(self.shape.texts[position])
        stop = min(self.end, self.high + MOST_SLOT_LETTERS)
        self._pieces_forward(position, [piece for piece in pieces if piece[0] >= after], stop)
        stop = max(self.begin, self.low - MOST_SLOT_LETTERS)
        self._pieces_backward(position, [piece for piece in pieces if piece[1] <= before], stop)

    def _pieces_forward(self, position: int, pieces: Sequence[Span], stop: int) -> None:
        literal = self.shape.letters[position]
        for first, last in pieces:
            start = self.skeleton.letters.find(literal[first:last], self.high, stop)
            if start >= 0:
                self._keep(position, start, start + last - first, last - first)

    def _pieces_backward(self, position: int, pieces: Sequence[Span], stop: int) -> None:
        literal = self.shape.letters[position]
        for first, last in reversed(pieces):
            start = self.skeleton.letters.rfind(literal[first:last], stop, self.low)
            if start >= 0:
                self._keep(position, start, start + last - first, last - first)

    def _leftmost(self, position: int, first: int, stop: int) -> int:
        """Return the first place of a literal at which it begins and ends with a word, else the first one of all."""
        found, literal = first, self.shape.letters[position]
        for _ in range(_MOST_TRIES):
            if found < 0 or self._is_whole(position, found):
                break
            found = self.skeleton.letters.find(literal, found + 1, stop)
        return found if found >= 0 and self._is_whole(position, found) else first

    def _rightmost(self, position: int, last: int, stop: int) -> int:
        found, literal = last, self.shape.letters[position]
        for _ in range(_MOST_TRIES):
            if found < 0 or self._is_whole(position, found):
                break
            found = self.skeleton.letters.rfind(literal, stop, found + len(literal) - 1)
        return found if found >= 0 and self._is_whole(position, found) else last

    def _is_whole(self, position: int, start: int) -> bool:
        """Say whether a literal begins and ends with a word where no slot touches it."""
        text, end = self.shape.texts[position], start + len(self.shape.letters[position])
        begins = text[0].isalnum() or self.skeleton.starts_word(start)
        return begins and (text[-1].isalnum() or self.skeleton.ends_word(end))


def _stretch(literal: str, offset: int, key: str, letters: str, at: int, begin: int, end: int) -> tuple[int, int]:
    """Return how many letters before and from a place on a literal and a text have in common.

    The literal has the key at the offset; the text has it at the place, unless it ends before.
    """
    start, stop = at - offset, at - offset + len(literal)
    if begin <= start and stop <= end and letters.startswith(literal, start):
        return offset, len(literal) - offset
    known = len(key) if letters.startswith(key, at, end) else 0
    after = known + _agreed(literal[offset + known :], letters[at + known : min(stop, end)])
    before = _agreed(literal[:offset][::-1], letters[max(start, begin) : at][::-1])
    return before, after


def _agreed(one: str, other: str) -> int:
    """Return how many letters two texts have in common at their start."""
    if other.startswith(one):
        return len(one)
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _pieces(text: str) -> list[Span]:
    """Return where the letters of a literal can be cut into pieces, at words, none shorter than LEAST_PIECE."""
    pieces: list[Span] = []
    start = end = 0
    for word in words_of(text):
        end += len(word)
        if end - start >= PIECE:
            pieces.append((start, end))
            start = end
    if end - start >= LEAST_PIECE:
        pieces.append((start, end))
    return pieces
