"""Bench: a million entry documents, recombined from real throw sites; document n depends on the seed and n alone.

    for p in click django; do .venv/bin/python manage.py scan_source .venv/lib/python3.11/site-packages/$p \\
        --repository bench/$p --release 1 --output ndjson > SITES/$p.ndjson; done
    .venv/bin/python -m bench.generator SITES --count 1000000 --seed 1 > million.ndjson

A message is the head of one real template and the tail of another (a part is left as it is, as forks and copies are;
some are Chinese); paths, symbols and types are recombined likewise. Kinds, and how many have no text, are as in
reality.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.prose import PHRASES, chinese_message, words_about
from bench.throw_sites import Material, RealSite, name_words, read_material
from errorkb.core.builtin_messages import is_builtin_type

# How many of the entries with text keep a real template, have a Chinese one; how many of all have prose.
COPIED = 0.15
CHINESE_MESSAGES = 0.06
CHINESE_PROSE = 0.18
ENGLISH_PROSE = 0.25
REVIEWED = 0.1
ENTRIES_PER_REPOSITORY = 1_000

_NUMBERED = re.compile(r"(?<!\{)\{\d+\}(?!\})")
_IDENTIFIER = re.compile(r"[A-Za-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+")
_OWNER_NAMES, _PROJECT_NAMES = PHRASES["repositories"]["owners"], PHRASES["repositories"]["projects"]


@dataclass(frozen=True)
class Generator:
    """Makes documents by number, of `count` in all."""

    material: Material
    count: int = 1_000_000
    seed: int = 1

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.document, range(self.count))

    def document(self, number: int) -> dict[str, Any]:
        """Return entry document `number`, from 0."""
        random = Random(self.seed * 1_000_000_007 + number)
        real = random.choice(self.material.sites)
        repository = self._repository(random)
        symbol = self._symbol(random)
        exception_type = self._type(random, real)
        template = self._template(random, real)
        facts = {
            "schema_version": "1.0",
            "id": _identifier(self.seed, number),
            "repository": repository,
            "message": template,
            "kind": real.kind,
            **({"exception_type": exception_type} if exception_type else {}),
            **({"placeholders": "brace"} if "{" in template or "}" in template else {}),
            "source": self._source(random, repository, symbol),
        }
        return facts | self._words(random, real, symbol, exception_type)

    def _repository(self, random: Random) -> str:
        """Choose a repository; a few have many entries, most have some."""
        most = max(3, self.count // ENTRIES_PER_REPOSITORY)
        number = int(most * random.random() ** 2)
        again, pair = divmod(number, len(_PROJECT_NAMES) ** 2)
        first, second = divmod(pair * 997 % len(_PROJECT_NAMES) ** 2, len(_PROJECT_NAMES))
        owner = _OWNER_NAMES[number * 7 % len(_OWNER_NAMES)]
        return f"{owner}/{_PROJECT_NAMES[first]}-{_PROJECT_NAMES[second]}{again or ''}"

    def _source(self, random: Random, repository: str, symbol: str) -> dict[str, Any]:
        line = int(random.lognormvariate(5.3, 1.1)) + 1
        snippet = random.choice(self.material.sites).snippet or "raise"
        return {
            "path": self._path(random, repository),
            "line": line,
            "end_line": line + random.randrange(4),
            "symbol": symbol,
            "release": f"v{random.randint(0, 5)}.{random.randint(0, 20)}.{random.randint(0, 9)}",
            "language": "python",
            "snippet": {"start_line": max(1, line - 2), "code": snippet},
        }

    def _path(self, random: Random, repository: str) -> str:
        package = repository.partition("/")[2].replace("-", "_")
        folders = [random.choice(self.material.folders) for _ in range(random.choice((0, 1, 1, 2, 2, 3)))]
        return "/".join([package, *folders, f"{self._stem(random)}.py"])

    def _stem(self, random: Random) -> str:
        stem = random.choice(self.material.stems)
        return stem if random.random() < 0.4 else f"{random.choice(self.material.words)}_{stem.lstrip('_')}"

    def _symbol(self, random: Random) -> str:
        function = self._function(random)
        return function if random.random() < 0.35 else f"{self._class(random)}.{function}"

    def _function(self, random: Random) -> str:
        real = random.choice(self.material.functions)
        return real if random.random() < 0.5 else f"{real}_{random.choice(self.material.words)}"

    def _class(self, random: Random) -> str:
        real = random.choice(self.material.classes)
        if random.random() < 0.3:
            return real
        words = name_words(real) or [real]
        return random.choice(self.material.words).capitalize() + "".join(words[-2:])

    def _type(self, random: Random, real: RealSite) -> str:
        """Keep a builtin type and some of the others; give the rest another first word."""
        kept = real.exception_type
        if not kept or is_builtin_type(kept) or random.random() < 0.3:
            return kept
        words = name_words(kept.rpartition(".")[2])
        return random.choice(self.material.words).capitalize() + "".join(words[-2:])

    def _template(self, random: Random, real: RealSite) -> str:
        if not real.template:
            return ""
        chance = random.random()
        if chance < COPIED:
            return real.template
        if chance < COPIED + CHINESE_MESSAGES:
            return chinese_message(random)
        return self._recombined(random, real.template, random.choice(self.material.texts).template)

    def _recombined(self, random: Random, first: str, second: str) -> str:
        """Join the head of one template and the tail of another; together as long as one."""
        share = random.uniform(0.3, 0.7)
        heads, tails = first.split(" "), second.split(" ")
        words = heads[: max(1, round(len(heads) * share))] + tails[round(len(tails) * share) :]
        joined = _renumbered(" ".join(words))
        return _IDENTIFIER.sub(lambda found: self._renamed(random, found[0]), joined)

    def _renamed(self, random: Random, name: str) -> str:
        if random.random() < 0.5:
            return name
        return self._function(random) if "_" in name else self._class(random)

    def _words(self, random: Random, real: RealSite, symbol: str, exception_type: str) -> dict[str, Any]:
        chance = random.random()
        if chance >= CHINESE_PROSE + ENGLISH_PROSE:
            return {"conditions": list(real.conditions), "analysis": {"method": "scanner"}}
        name = self._function(random)
        words = words_about(
            random, symbol=symbol, name=name, exception_type=exception_type, chinese=chance < CHINESE_PROSE
        )
        commit = f"{random.getrandbits(40):010x}"
        analysis = {"method": "ai-assisted", "commit": commit, "reviewed": random.random() < REVIEWED}
        return words | {"analysis": analysis}


def _identifier(seed: int, number: int) -> str:
    """Return 16 hex digits that no other number has: https://prng.di.unimi.it/splitmix64.c."""
    mask = (1 << 64) - 1
    mixed = (seed * 0xD1B54A32D192ED03 + number * 0x9E3779B97F4A7C15) & mask
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
    return f"{mixed ^ (mixed >> 31):016x}"


def _renumbered(template: str) -> str:
    count = iter(range(len(template)))
    return _NUMBERED.sub(lambda _: f"{{{next(count)}}}", template)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, metavar="SITES", help="a folder of what scan_source wrote as NDJSON")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for document in Generator(read_material(options.sites), options.count, options.seed):
        sys.stdout.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
