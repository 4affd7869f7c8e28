"""Core: whether a template that stands in a text is the message there, or only shares words with another one.

Near twins of a template differ in a word before, between or behind what they have in common, in a sign at the end, or
in a sentence more.
"""

import re
from itertools import islice

from errorkb.core.skeletons import Skeleton, letters_of
from errorkb.core.slot_cuts import is_plausible
from errorkb.core.template_fits import PIECE, Fit
from errorkb.core.template_literals import shape_of, split_edges

# Pastes are read with plain quotes.
_STRAIGHT = str.maketrans({**dict.fromkeys("“”„", '"'), **dict.fromkeys("‘’‚", "'")})
# So many letters of a literal's beginning and end must be there for nothing to stand in their place.
_MOST_LIKE = 4
# So many characters are looked at behind a template.
_MOST_REST = 400
_CLOSING = frozenset("'\"`)]}>»”’」")
# What programs append to a message: brackets, pairs, columns.
_APPENDED = re.compile(r"\s*[(\[{<|]|\t|\s{2}|\s*[\w.]{1,60}=|\s*[,;]?\s*$")
# A sentence in Chinese that quotes a message in Latin letters, and goes on behind it.
_CHINESE = re.compile(r"\s*[，。；、！？：\u4e00-\u9fff]")
# What Markdown eats, and the quotes that people change.
_LOST = "`*'\""
# Signs that make a longer word of a word that they touch, or another sentence of one that they end.
_GLUED_BEFORE = frozenset("_-./\\@#$%&*+~^")
_GLUED_BEHIND = _GLUED_BEFORE | frozenset(":!?=")


def stands_at_words(fit: Fit, skeleton: Skeleton) -> bool:
    """Say whether all literals that a fit has found whole begin and end with words, where no slot touches them."""
    shape = shape_of(fit.template)
    last = len(shape.texts) - 1
    for n, (text, letters, span) in enumerate(zip(shape.texts, shape.letters, fit.spans, strict=True)):
        if span is None or span[1] - span[0] != len(letters):
            continue
        if (n == 0 or not text[0].isalnum()) and not skeleton.starts_word(span[0]):
            return False
        if (n == last or not text[-1].isalnum()) and not skeleton.ends_word(span[1]):
            return False
    return True


def is_apart(fit: Fit, skeleton: Skeleton, *, is_strict: bool = True) -> bool:
    """Say whether the signs at a template's ends stand in the text, and none beside them that belongs to a word.

    An end with a slot has no such signs. Unless it is strict, a full stop is as good as none, and so are quotes, and
    what Markdown eats.
    """
    shape = shape_of(fit.template)
    lost = "" if is_strict else _LOST
    before, behind = _before(fit, skeleton), _behind(fit, skeleton)
    if shape.letters[0] and not _is_apart_before(_without(before, lost), _without(_leading(shape.texts[0]), lost)):
        return False
    signs, behind = _without(_trailing(shape.texts[-1]), lost), _without(behind, lost)
    if not is_strict:
        signs, behind = signs.removesuffix("."), behind.rstrip().removesuffix(".")
    return not shape.letters[-1] or _is_apart_behind(behind, signs)


def _without(text: str, signs: str) -> str:
    return text.translate(dict.fromkeys(map(ord, signs))) if signs else text


def goes_on(fit: Fit, skeleton: Skeleton) -> bool:
    """Say whether more words follow on the same line than the template has, and no quote ends before them.

    Chinese words behind a template in Latin letters are the reader's, who quotes it.
    """
    rest = _behind_signs(fit, skeleton)
    if rest is None or rest[:1] in _CLOSING or _APPENDED.match(rest):
        return False
    if _CHINESE.match(rest) and fit.template.isascii():
        return False
    return any(map(str.isalnum, rest))


def has_more_blanks(fit: Fit, skeleton: Skeleton) -> bool:
    """Say whether a text on one line has a run of blanks, and its template has none: pasting takes blanks away."""
    if any("  " in text or "\n" in text for text in shape_of(fit.template).texts):
        return False
    text = skeleton.between(skeleton.place_of(fit.start), skeleton.end_of(fit.end), _MOST_REST)
    return "  " in text and "\n" not in text


def is_cut_at_line(fit: Fit) -> bool:
    """Say whether a template has a line break behind what was found of it: the rest is on a line that nobody pasted."""
    texts = shape_of(fit.template).texts
    last = max(n for n, found in enumerate(fit.found) if found)
    rest = _behind_letters(texts[last], fit.found[last])
    signs, _, _ = split_edges(rest)
    return "\n" in signs or (signs == rest and last + 1 < len(texts) and "\n" in split_edges(texts[last + 1])[0])


def is_left_out(fit: Fit, skeleton: Skeleton) -> bool:
    """Say whether what a text lacks of a template was left out, and not replaced by other words.

    Then it begins as the template does, each literal that others follow is there to its end, and nothing stands behind
    the last one. Where nothing but the end is missing, it is rather another message, which ends there.
    """
    shape = shape_of(fit.template)
    known = [n for n, letters in enumerate(shape.letters) if letters and fit.spans[n]]
    found = [skeleton.letters[span[0] : span[1]] for span in fit.spans if span]
    literals = [shape.letters[n] for n in known]
    rest = letters_of(_behind(fit, skeleton))
    if (
        len(rest) >= PIECE
        or rest not in literals[-1]
        or any(shape.letters[n] for n in range(known[-1]) if n not in known)
    ):
        return False
    if found[:-1] == literals[:-1] and literals[-1].startswith(found[-1]):
        return False
    heads = all(text.startswith(letters[:_MOST_LIKE]) for text, letters in zip(found, literals, strict=True))
    tails = all(text.endswith(letters[-_MOST_LIKE:]) for text, letters in zip(found[:-1], literals[:-1], strict=True))
    foreign = sum(map(len, found)) - fit.literal_length
    return heads and tails and 4 * foreign <= shape.letter_count - fit.literal_length


def _behind_letters(text: str, count: int) -> str:
    """Return what stands in a text behind so many of its letters."""
    places = (n for n, char in enumerate(text, 1) if char.isalnum())
    return text[next(islice(places, count - 1, None), len(text)) :]


def is_below_slot(fit: Fit) -> bool:
    """Say whether a template's first words stand on a line below a slot."""
    shape = shape_of(fit.template)
    if shape.letters[0] or not shape.slots:
        return False
    return "\n" in split_edges(next(filter(letters_of, shape.texts), ""))[0]


def leading_signs(fit: Fit) -> str:
    """Return the signs with which a template begins, without blanks; empty where a slot stands first."""
    shape = shape_of(fit.template)
    return _leading(shape.texts[0]) if shape.letters[0] else ""


def _leading(text: str) -> str:
    return split_edges(text)[0].translate(_STRAIGHT).strip()


def _trailing(text: str) -> str:
    return split_edges(text)[2].translate(_STRAIGHT).strip()


def _before(fit: Fit, skeleton: Skeleton) -> str:
    place = skeleton.place_of(fit.start)
    return skeleton.lines[place.line][max(0, place.column - _MOST_REST) : place.column]


def _behind(fit: Fit, skeleton: Skeleton) -> str:
    place = skeleton.end_of(fit.end)
    return skeleton.lines[place.line][place.column : place.column + _MOST_REST]


def _is_apart_before(text: str, signs: str) -> bool:
    found = text.rstrip() if signs else text
    return found.endswith(signs) and found[: len(found) - len(signs)][-1:] not in _GLUED_BEFORE


def _is_apart_behind(text: str, signs: str) -> bool:
    found = text.lstrip() if signs else text
    return found.startswith(signs) and found[len(signs) :][:1] not in _GLUED_BEHIND


def _behind_signs(fit: Fit, skeleton: Skeleton) -> str | None:
    """Return what stands on the line behind a template's last sign; None where a slot takes all of it."""
    shape, behind = shape_of(fit.template), _behind(fit, skeleton)
    if shape.letters[-1]:
        signs = _trailing(shape.texts[-1])
        return behind.lstrip().removeprefix(signs) if signs else behind
    last = shape.texts[-1].strip()
    value = behind.rstrip().removesuffix(last)
    if not last or (value != behind.rstrip() and is_plausible(value, "")):
        return None
    # The sign that opens a value may be the one that closes it.
    opening = _trailing(shape.texts[-2]) if shape.letters[-2] else ""
    _, sign, rest = behind.lstrip().removeprefix(opening).partition(last)
    return rest if sign else None
