"""Core: whether a statement's string literals can make an entry's message."""

import re
from collections.abc import Iterator
from itertools import islice

from errorkb.core.documents import EntryDocument
from errorkb.core.message_templates import Part, parse_message, parse_template
from errorkb.core.source_checks.outlines import SLOT, Outline, Statement

# A placeholder of any style: `%s`, `%(name)d`, `{name}`, `${name}`, and what an f-string's field became.
_PLACEHOLDER = re.compile(r"%(?:\([^()]*\))?[#0\- +]*+[\d.*]*+[A-Za-z]|\$?\{[^{}]*\}|" + SLOT)
# Bounds on the work that one document can ask for.
_MAX_RUNS = 64
_MAX_WORDINGS = 32

Runs = tuple[str, ...]


def message_runs(document: EntryDocument) -> tuple[Runs, ...]:
    """Return the literal runs of an entry's message, each way to read it, and those of its other wordings.

    `Model class %s doesn't` has the runs `Model class` and `doesn't`. A message without literal text has none.
    """
    ways = (_runs(texts) for texts in _ways(document))
    return tuple(dict.fromkeys(runs for runs in ways if runs))


def holds(statement: Statement, ways: tuple[Runs, ...]) -> bool:
    """Tell whether the statement's literals hold all runs of one way."""
    return _holds("".join(statement.texts), ways)


def may_be_assembled(statement: Statement, ways: tuple[Runs, ...], outline: Outline) -> bool:
    """Tell whether the message's runs may come to the statement through names: from literals that no throw uses."""
    around = (other for other in outline.statements if not other.throws)
    text = SLOT.join("".join(other.texts) for other in around)
    return _holds(text + SLOT + "".join(statement.texts), ways)


def foreign_text(statement: Statement, document: EntryDocument, *, single_words: bool) -> str:
    """Return the first text in the statement's literals that is in no wording of the message; empty if there is none.

    Literals of one word may be codes and keys; they count with `single_words` only.
    """
    known = [_plain(text) for text in islice(_wordings(document), _MAX_WORDINGS)]
    for run in _runs(statement.texts):
        if (single_words or " " in run) and not any(run in text for text in known):
            return run
    return ""


def _wordings(document: EntryDocument) -> Iterator[str]:
    yield document.message
    yield document.template or ""
    for wording in document.wordings or []:
        yield wording.message or ""
        yield wording.template or ""


def _ways(document: EntryDocument) -> Iterator[tuple[str, ...]]:
    parts = parse_message(document.message, document.placeholders)
    yield _literals(parts)
    yield tuple(part.source for part in parts if part.slot is None)
    yield _split(document.message)
    yield _literals(parse_template(document.template or ""))
    for wording in islice(document.wordings or [], _MAX_WORDINGS):
        yield _split(wording.message or "")
        yield _literals(parse_template(wording.template or ""))


def _literals(parts: tuple[Part, ...]) -> tuple[str, ...]:
    return tuple(part.text for part in parts if part.slot is None)


def _split(message: str) -> tuple[str, ...]:
    return tuple(_PLACEHOLDER.split(message))


def _runs(texts: tuple[str, ...]) -> Runs:
    runs = (_plain(run) for text in texts for run in _PLACEHOLDER.split(text))
    return tuple(islice((run for run in runs if any(char.isalpha() for char in run)), _MAX_RUNS))


def _holds(text: str, ways: tuple[Runs, ...]) -> bool:
    plain = _plain(text)
    return any(all(run in plain for run in runs) for runs in ways)


def _plain(text: str) -> str:
    return " ".join(text.split())
