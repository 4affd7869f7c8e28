"""Bench: what people may type who look for one entry of a base: eight kinds of queries, drawn by a seed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from bench.renderings import render
from errorkb.models import ErrorEntry

SEED = 20_261_201
# So many entries are looked at for one of a kind.
MOST_LOOKED_AT = 5_000
OF_EACH_KIND = 50

_WORD = re.compile(r"[A-Za-z]{3,}")
_CHINESE = re.compile(r"[\u4e00-\u9fff]{4,}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query, and the entry that is looked for: its primary key; one of the same template, if it has one, will do."""

    kind: str
    text: str
    entry: int
    template: str

    def is_found(self, entry: int, template: str) -> bool:
        return entry == self.entry or bool(self.template and template == self.template)


def draw(count: int = OF_EACH_KIND, seed: int = SEED) -> list[list[KnownItem]]:
    """Return `count` rounds of queries, in each one of each kind; without kinds of which the base has no entry."""
    random = Random(seed)
    kinds = dict(KINDS)
    rounds = []
    for _ in range(count):
        drawn = {kind: _drawn(kind, make, random) for kind, make in kinds.items()}
        kinds = {kind: KINDS[kind] for kind, item in drawn.items() if item}
        rounds.append([item for item in drawn.values() if item])
    return rounds


def halves(rounds: list[list[KnownItem]]) -> tuple[list[KnownItem], list[KnownItem]]:
    """Return the half for tuning and the half for the figure."""
    return [item for one in rounds[::2] for item in one], [item for one in rounds[1::2] for item in one]


def _drawn(kind: str, make: Callable[[ErrorEntry, Random], str], random: Random) -> KnownItem | None:
    for entry in _entries(random):
        text = make(entry, random).strip()
        if text:
            return KnownItem(kind, text, entry.pk, entry.template)
    return None


def _entries(random: Random) -> Iterator[ErrorEntry]:
    """Yield public entries at random, MOST_LOOKED_AT at most."""
    last = ErrorEntry.objects.order_by("-pk").values_list("pk", flat=True)[0]
    for _ in range(MOST_LOOKED_AT):
        yield from ErrorEntry.objects.public().filter(pk__gte=random.randint(1, last)).order_by("pk")[:1]


def _message(entry: ErrorEntry, random: Random) -> str:
    return " ".join(entry.message.split())[:1_000] if _WORD.search(entry.message) else ""


def _rendered(entry: ErrorEntry, random: Random) -> str:
    return " ".join(render(entry.template, random).split())[:1_000] if len(_words(entry)) > 1 else ""


def _title_words(entry: ErrorEntry, random: Random) -> str:
    words = _words(entry)
    if len(words) < 4:
        return ""
    chosen = sorted(random.sample(range(len(words)), random.randint(3, min(5, len(words)))))
    return " ".join(words[n] for n in chosen)


def _typing_error(entry: ErrorEntry, random: Random) -> str:
    words = _title_words(entry, random).split()
    long = [n for n, word in enumerate(words) if len(word) > 4]
    if not long:
        return ""
    place = random.choice(long)
    words[place] = _mistyped(words[place], random)
    return " ".join(words)


def _mistyped(word: str, random: Random) -> str:
    place = random.randrange(1, len(word) - 1)
    letter = random.choice(_LETTERS)
    return random.choice(
        (
            word[:place] + word[place + 1 :],
            word[:place] + letter + word[place:],
            word[:place] + letter + word[place + 1 :],
            word[:place] + word[place + 1] + word[place] + word[place + 2 :],
        )
    )


def _identifier(entry: ErrorEntry, random: Random) -> str:
    return entry.symbol


def _path(entry: ErrorEntry, random: Random) -> str:
    return "/".join(entry.path.split("/")[-random.choice((2, 3)) :])


def _chinese(entry: ErrorEntry, random: Random) -> str:
    """Return a Chinese message, or the first sentence of Chinese prose if it names something."""
    sentence = str(entry.as_document().get("meaning", "")).partition("\u3002")[0]
    texts = [entry.message, sentence if "`" in sentence else ""]
    chinese = [text for text in texts if _CHINESE.search(text)]
    return random.choice(chinese)[:60] if chinese else ""


def _prose(entry: ErrorEntry, random: Random) -> str:
    """Return eight to fourteen words of the first sentence of English prose, with the name in it."""
    sentence = str(entry.as_document().get("meaning", "")).partition(". ")[0]
    words = sentence.split()
    named = next((n for n, word in enumerate(words) if "`" in word), None)
    if named is None or len(words) < 8 or _CHINESE.search(sentence):
        return ""
    start = random.randint(max(0, named - 7), named)
    return " ".join(words[start : start + random.randint(8, 14)])


def _words(entry: ErrorEntry) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(re.sub(r"\{[^}]*\}", " ", entry.template))))


KINDS: dict[str, Callable[[ErrorEntry, Random], str]] = {
    "message": _message,
    "rendered": _rendered,
    "title words": _title_words,
    "typing error": _typing_error,
    "identifier": _identifier,
    "path": _path,
    "Chinese": _chinese,
    "prose": _prose,
}
