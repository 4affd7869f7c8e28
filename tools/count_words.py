"""How often each word stands in the messages of a base: makes errorkb/core/word_frequencies.txt.

The keys by which match finds templates depend on that file, so it is made once and then left alone: after another run
every base needs `python manage.py rebuild_index`. It was made from the errors of 24 Python packages, scanned:

    .venv/bin/python -m tools.count_words > errorkb/core/word_frequencies.txt

A line is a level and the words of that level, most frequent first: a word of level n stands in about one of
2 ** (n / 2) messages. Words of fewer than LEAST messages are left out, they are rare; so are
numbers, for what a paste has most of are numbers that say nothing.
"""

import math
import os
import sys
from collections import Counter, defaultdict

import django
from django.apps import apps

from errorkb.core.skeletons import words_of
from errorkb.core.template_literals import literal_texts

LEAST = 4


def main() -> int:
    """Write the table to standard output."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "errorkb.settings")
    django.setup()
    from_templates = apps.get_model("errorkb", "ErrorEntry").objects.exclude(template="").order_by()
    templates = set(from_templates.values_list("template", flat=True).distinct())
    sys.stdout.write(table(count_words(templates), len(templates)))
    return 0


def count_words(templates: set[str]) -> Counter[str]:
    """Return for each word the number of templates whose literal text has it."""
    counts: Counter[str] = Counter()
    for template in templates:
        counts.update({word.lower() for literal in literal_texts(template) for word in words_of(literal)})
    return counts


def table(counts: Counter[str], total: int) -> str:
    """Return the lines of the file."""
    levels: dict[int, list[str]] = defaultdict(list)
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count >= LEAST and word.isascii() and not word.isdigit():
            levels[round(2 * math.log2(total / count))].append(word)
    return "".join(f"{level} {' '.join(words)}\n" for level, words in levels.items())


if __name__ == "__main__":
    sys.exit(main())
