"""The pull request that a commit's message names, in the forms of the forges; tickets are not pull requests."""

import pytest

from errorkb.scanning.merge_messages import pull_request_in


@pytest.mark.parametrize(
    ("subject", "body", "number"),
    [
        ("Refuse empty keys (#123)", "", 123),
        ("Refuse empty keys (#12) (#340)", "", 340),
        ("gh-101: Refuse empty keys (GH-456)", "", 456),
        ("Merge pull request #123 from ada/empty-keys", "Refuse empty keys", 123),
        ("Merge pull request #7 in PROJ/shop from empty-keys to main", "", 7),
        ("Merge pull request 'Refuse (all) keys' (#12) from keys into main", "", 12),
        ("Merge #31", "", 31),
        ("Auto merge of #31 - ada:keys, r=bob", "", 31),
        ("Merged PR 88: Refuse empty keys", "", 88),
        ("Merged in empty-keys (pull request #7)", "Refuse", 7),
        ("Merge branch 'empty-keys' into 'main'", "Refuse empty keys\n\nSee merge request shop/basket!12", 12),
        ("Refuse empty keys", "Closes #3\n\nSee merge request !12\n", 12),
        ('Revert "Refuse empty keys (#123)" (#150)', "", 150),
        ("Fix #3 (#4)\n", "", 4),
    ],
)
def test_reads_the_forms_of_forges(subject, body, number):
    assert pull_request_in(subject, body).number == number


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Fixed #35530 -- Refused empty keys", ""),
        ("Refs #12: refuse empty keys", ""),
        ("Refuse empty keys", "Fixes #12\nCloses (#13)"),
        ('Revert "Refuse empty keys (#123)"', "This reverts commit 89abcdef."),
        ("Merge branch 'main' into keys", ""),
        ("Refuse (#0)", ""),
        ("Refuse (#99999999999)", ""),
        ("(#5) refuse empty keys", ""),
        ("", ""),
    ],
)
def test_takes_no_ticket_for_a_pull_request(subject, body):
    assert pull_request_in(subject, body) is None
