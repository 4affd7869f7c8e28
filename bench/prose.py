"""Bench: sentences in English and Chinese about an error, of the kind that people and models write into entries."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

PHRASES: Mapping[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    Path(__file__).with_name("phrases.toml").read_text("utf-8")
)


def words_about(random: Random, *, symbol: str, name: str, exception_type: str, chinese: bool) -> dict[str, object]:
    """Return the fields of a document that hold words: meaning, trigger, solutions, language."""
    phrases = PHRASES["zh" if chinese else "en"]

    def say(form: str) -> str:
        return form.format(
            symbol=symbol or "the module",
            name=name,
            type=exception_type or "Exception",
            thing=random.choice(phrases["things"]),
            other=random.choice(phrases["things"]),
            state=random.choice(phrases["states"]),
        )

    return {
        "meaning": _sentences(random, say, phrases["meanings"], 2, chinese=chinese),
        "trigger": _sentences(random, say, phrases["triggers"], 1, chinese=chinese),
        "solutions": [say(random.choice(phrases["advice"])) for _ in range(random.randint(1, 3))],
        "language": "zh" if chinese else "en",
    }


def chinese_message(random: Random) -> str:
    """Return a template in Chinese."""
    phrases = PHRASES["zh"]
    form = random.choice(phrases["messages"])
    things = {name: random.choice(phrases["things"]) for name in ("thing", "other")}
    return form.format(**things, state=random.choice(phrases["states"]))


def _sentences(random: Random, say: Callable[[str], str], forms: Sequence[str], most: int, *, chinese: bool) -> str:
    chosen = [say(random.choice(forms)) for _ in range(random.randint(1, most))]
    return ("" if chinese else " ").join(chosen)
