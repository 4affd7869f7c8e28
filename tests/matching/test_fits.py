"""Of very many wordings that might stand in a paste, whole ones are looked for first, parts only where none is."""

import pytest

from errorkb.core.match_keys import template_keys
from errorkb.matching import fits
from errorkb.matching.backends import WordingRow
from errorkb.matching.candidates import FoundTemplate
from errorkb.matching.fits import fit_templates
from errorkb.matching.readings import Reading, read

WHOLE = "cannot open the configuration file {path} for reading by {user}"
CUT = "cannot open the configuration file {path} because the volume of {user} is full today"
OTHER = "the connection to {host} was closed before all {n} rows of the answer were read"
LOG = [
    "ERROR cannot open the configuration file /etc/a for reading by ana",
    "ERROR the connection to db-1 was closed before all",
]


def _found(reading: Reading, *templates: str) -> list[FoundTemplate]:
    letters, keys = reading.skeleton.letters, [template_keys(template)[0] for template in templates]
    return [
        FoundTemplate(template, key, [letters.index(key)], [WordingRow(n, n, template, True)])
        for n, (template, key) in enumerate(zip(templates, keys, strict=True))
    ]


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(fits, "MANY_TRIES", 1)


def test_fits_parts_too_where_there_is_little_to_try():
    reading = read("\n".join(LOG))
    fitted = fit_templates(reading, _found(reading, WHOLE, CUT, OTHER))
    assert [(one.fit.template, one.fit.share == 1.0) for one in fitted] == [
        (WHOLE, True),
        (CUT, False),
        (OTHER, False),
    ]


def test_looks_for_no_part_on_a_line_that_a_whole_wording_explains(many):
    reading = read("\n".join(LOG))
    fitted = fit_templates(reading, _found(reading, CUT, OTHER, WHOLE))
    assert [one.fit.template for one in fitted] == [WHOLE, OTHER]


def test_looks_for_so_many_parts_and_no_more(many, monkeypatch):
    monkeypatch.setattr(fits, "MOST_PARTIAL", 2)
    reading = read("\n".join(LOG))
    others = [f"{OTHER} {tail}" for tail in ("by him", "by her", "by us")]
    assert len(fit_templates(reading, _found(reading, *others))) == 2


def test_leaves_out_what_says_next_to_nothing_beside_another_on_its_line(many):
    reading = read("ERROR cannot open the configuration file /etc/a for reading by ana")
    small = "file {path} for reading"
    fitted = fit_templates(reading, _found(reading, small, WHOLE))
    assert [one.fit.template for one in fitted] == [WHOLE]
    fitted = fit_templates(reading, _found(reading, small, WHOLE), placed={0})
    assert [one.fit.template for one in fitted] == [WHOLE, small]
