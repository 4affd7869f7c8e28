"""What an answer says of the release that a reader has."""

from types import SimpleNamespace

import pytest

from errorkb.matching.matching import match
from errorkb.matching.ranking import Ranked
from errorkb.matching.releases import behind_those_that_have_it
from errorkb.matching.results import MatchOptions, Reason
from tests.scans import store, throw

MESSAGE = "QueuePool limit of size %s reached, connection timed out"
PASTED = "QueuePool limit of size 5 reached, connection timed out"
SITE = throw(MESSAGE, 166, "acmepool/impl.py", "Pool.get")
OTHER = throw("the other one", 9, "acmepool/other.py", "other")


@pytest.fixture
def base(db):
    """An entry that scans saw in 2.0 and 3.0, but not in 1.0, nor in 4.0."""
    for version, sites in (("1.0", (OTHER,)), ("2.0", (SITE, OTHER)), ("3.0", (SITE, OTHER)), ("4.0", (OTHER,))):
        store(f"v{version}", *sites, version=version, repository="acme/acmepool", remove=True)


@pytest.mark.parametrize(
    ("pasted", "asked", "told"),
    [
        (PASTED, "2.0", ("release", "your release 2.0 has it (line 166)")),
        (PASTED, "v2.0", ("release", "your release v2.0 has it (line 166)")),
        (PASTED, "2.5", ("release", "your release 2.5 has it, as far as is known: v2.0 and v3.0, before and after it, "
                         "have it; we have not read 2.5")),
        (PASTED, "1.0", ("against", "your release 1.0 does not have it: introduced later, in v2.0")),
        (PASTED, "0.5", ("against", "your release 0.5 does not have it: introduced later, in v2.0")),
        (PASTED, "4.0", ("against", "your release 4.0 does not have it: removed in v4.0")),
        (PASTED, "1.5", ("release", "whether your release 1.5 has it is not known: we have not read 1.5: v1.0, before "
                         "it, does not have it; v2.0, after it, has it")),
        (f"acmepool==2.0\n{PASTED}", "", ("release", "your release 2.0 has it (line 166)")),
        (f"AcmePool==2.0\n{PASTED}", "1.0",
         ("against", "your release 1.0 does not have it: introduced later, in v2.0")),
        (f"other==2.0\n{PASTED}", "", None),
        (PASTED, "", None),
    ],
)  # fmt: skip
def test_says_whether_a_release_has_the_error(base, pasted, asked, told):
    first = match(pasted, MatchOptions(release=asked)).matches[0]
    reasons = [(reason.kind, reason.text) for reason in first.reasons if "release" in reason.text]
    assert reasons == ([told] if told else [])


def finding(key: int) -> SimpleNamespace:
    return SimpleNamespace(entry=SimpleNamespace(pk=key))


ONE, TWO, THREE = finding(1), finding(2), finding(3)
EQUALS = [Ranked(ONE, True, (TWO, THREE)), Ranked(TWO, True, (ONE, THREE)), Ranked(THREE, True, (ONE, TWO))]
HAS, LACKS = Reason("release", ""), Reason("against", "")


@pytest.mark.parametrize(
    ("reasons", "order"),
    [
        ({}, [(1, True, (2, 3)), (2, True, (1, 3)), (3, True, (1, 2))]),
        ({1: LACKS, 2: HAS}, [(2, True, (3,)), (3, True, (2,)), (1, False, ())]),
        ({1: LACKS, 2: LACKS}, [(3, True, ()), (1, False, ()), (2, False, ())]),
        ({1: LACKS, 2: LACKS, 3: LACKS}, [(1, True, (2, 3)), (2, True, (1, 3)), (3, True, (1, 2))]),
    ],
)
def test_what_the_release_lacks_ranks_behind_its_equals(reasons, order):
    ranked = behind_those_that_have_it(EQUALS, reasons)
    assert [
        (one.finding.entry.pk, one.confident, tuple(other.entry.pk for other in one.equals)) for one in ranked
    ] == order


def test_of_equal_texts_the_one_that_the_release_has_is_told(db):
    gone, kept = throw(MESSAGE, 5, "acmepool/a.py", "first"), throw(MESSAGE, 7, "acmepool/b.py", "second")
    store("v1.0", gone, kept, version="1.0", repository="acme/acmepool", remove=True)
    store("v2.0", kept, version="2.0", repository="acme/acmepool", remove=True)
    told = {
        release: [one.entry.path for one in match(PASTED, MatchOptions(release=release)).matches if one.confident]
        for release in ("1.0", "2.0")
    }
    assert told == {"1.0": ["acmepool/a.py", "acmepool/b.py"], "2.0": ["acmepool/b.py"]}
