"""Histories of releases for tests: a straight one, and one with branches, as Django's are."""

from errorkb.core.releases.lineages import KnownRelease, Lineage
from errorkb.core.releases.versions import Scheme, read_tag


def release(label: str, *parents: str, known: bool = False, scheme: Scheme = Scheme.PEP440) -> KnownRelease:
    """Return a release; its ancestry is known where it has parents, or is the `known` beginning."""
    commit = label.encode().hex().ljust(40, "0")[:40]
    return KnownRelease(label, read_tag(label, scheme), commit, parents if parents or known else None)


def straight(*labels: str) -> Lineage:
    return Lineage(release(label) for label in labels)


def states(**marks: str) -> dict[str, bool]:
    """Return what is known by label: `yes="1.0 1.1", no="1.2"`."""
    return {label: mark == "yes" for mark, labels in marks.items() for label in labels.split()}


# main: 4.2 → 5.0 → 5.1 → 5.2; 4.2.x and 5.0.x go on beside it. 4.2.17 and 5.0.10 were released after 5.1.
BRANCHED = Lineage(
    [
        release("4.2", known=True),
        release("4.2.16", "4.2"),
        release("4.2.17", "4.2.16"),
        release("4.2.18", "4.2.17"),
        release("5.0", "4.2"),
        release("5.0.9", "5.0"),
        release("5.0.10", "5.0.9"),
        release("5.1", "5.0"),
        release("5.2", "5.1"),
    ]
)
