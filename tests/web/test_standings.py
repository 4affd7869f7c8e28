"""The line of standing, and who analysed an entry."""

import pytest

from errorkb.core.documents import EntryDocument
from errorkb.core.forges import repository_links
from errorkb.web.pages.entries.standings import provenance_of, standing_of
from tests.builders import entry


@pytest.mark.parametrize(
    ("fields", "level", "words"),
    [
        ({}, "facts", "Facts only: nobody has explained it yet · check your version"),
        (
            {"source": {"release": "v1"}},
            "facts",
            "Facts only: nobody has explained it yet · seen at v1 · check your version",
        ),
        ({"meaning": "m"}, "unreviewed", "Not reviewed by a person · check your version"),
        (
            {
                "solutions": ["s"],
                "analysis": {"method": "ai-assisted", "commit": "0132848349"},
                "releases": {"first": "0.5.18", "last": "0.5.23"},
            },
            "unreviewed",
            "AI-assisted, not reviewed by a person · written for 0132848349 · in 0.5.18 to 0.5.23 · check your version",
        ),
        (
            {
                "meaning": "m",
                "analysis": {"method": "human", "reviewed": True},
                "releases": {"first": "1", "removed": "3"},
            },
            "reviewed",
            "Written by a person, reviewed by a person · since 1 · removed in 3 · check your version",
        ),
        ({"meaning": "m", "state": "withdrawn"}, "withdrawn", "Withdrawn · check your version"),
        (
            {"meaning": "m", "releases": {"last": "2"}},
            "unreviewed",
            "Not reviewed by a person · until 2 · check your version",
        ),
        (
            {"meaning": "m", "releases": {"first": "2", "last": "2"}},
            "unreviewed",
            "Not reviewed by a person · in 2 · check your version",
        ),
    ],
)
def test_says_how_far_an_entry_can_be_trusted(fields, level, words):
    standing = standing_of(EntryDocument.model_validate(entry(**fields)), repository_links("o/n"))
    assert standing.level == level
    assert " · ".join(phrase.text for phrase in standing.phrases) == words


@pytest.mark.parametrize(
    ("analysis", "sentence"),
    [
        (None, "Who analysed this error of o/n is not stated. Not reviewed by a person."),
        ({}, "Analysis of o/n. Not reviewed by a person."),
        (
            {"method": "ai-assisted", "model": "M 1", "commit": "abcdef0", "date": "2026-08-28"},
            "AI-assisted analysis by M 1 of o/n at abcdef0, dated 2026-08-28. Not reviewed by a person.",
        ),
        (
            {"method": "human", "reviewed": True, "reviewed_by": "Ada", "reviewed_at": "2026-09-01T10:00Z"},
            "Analysis by a person of o/n. Reviewed by Ada, 2026-09-01 10:00 UTC.",
        ),
        ({"method": "scanner", "reviewed": True}, "A scanner's analysis of o/n. Reviewed by a person."),
    ],
)
def test_says_who_analysed_it(analysis, sentence):
    assert provenance_of(EntryDocument.model_validate(entry(analysis=analysis))) == sentence
