"""What an answer says of the release that a reader has."""

from datetime import UTC, datetime

import pytest

from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions
from errorkb.models import ErrorEntry, Scan, Sighting
from tests.builders import entry

pytestmark = pytest.mark.django_db

MESSAGE = "QueuePool limit of size %d overflow %d reached, connection timed out"
PASTED = "QueuePool limit of size 5 overflow 10 reached, connection timed out"
SOURCE = {"path": "acmepool/impl.py", "line": 166, "symbol": "Pool.get", "release": "v2.0"}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def base(loader):
    """An entry that scans saw in 2.0 and not in 1.0; 3.0 was never read."""
    loader.put("e.json", entry(MESSAGE, placeholders="percent", source=SOURCE, repository="acme/acmepool"))
    row = ErrorEntry.objects.get()
    scans = [
        Scan.objects.create(repository=row.repository, release=f"v{version}", version=version, at=NOW)
        for version in ("1.0", "2.0")
    ]
    Sighting.objects.create(
        entry=row, scan=scans[1], path="acmepool/impl.py", line=166, end_line=168, symbol="Pool.get"
    )


@pytest.mark.parametrize(
    ("pasted", "asked", "told"),
    [
        (PASTED, "2.0", ("release", "release 2.0 has it")),
        (PASTED, "v2.0", ("release", "release v2.0 has it")),
        (PASTED, "1.0", ("against", "release 1.0 does not have it at this site")),
        (PASTED, "3.0", ("release", "we have not read release 3.0 of acme/acmepool")),
        (f"acmepool==2.0\n{PASTED}", "", ("release", "release 2.0 has it")),
        (f"other==2.0\n{PASTED}", "", None),
        (PASTED, "", None),
    ],
)
def test_says_whether_a_release_has_the_error(base, pasted, asked, told):
    first = match(pasted, MatchOptions(release=asked)).matches[0]
    reasons = [(reason.kind, reason.text) for reason in first.reasons if "release" in reason.text]
    assert reasons == ([told] if told else [])
