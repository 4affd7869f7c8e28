"""Tests of reading whole pastes: each real output and each report tells exactly of the errors that a reader sees in it.

The texts stand in tests/samples/pastes; what they tell of, in the files `*.expected` beside them, was checked against
each text by eye.
"""

from pathlib import Path

import pytest

from errorkb.core.tracebacks import read_paste
from tests.core.tracebacks.told import told

PASTES = Path(__file__).parents[2] / "samples" / "pastes"


def expected(folder: str) -> dict[str, list[str]]:
    """Return what each paste of a folder tells of, by its name."""
    blocks = (PASTES / f"{folder}.expected").read_text("utf-8").split("## ")[1:]
    lines = [block.rstrip("\n").split("\n") for block in blocks]
    return {name: errors for name, *errors in lines}


CASES = [(folder, name, errors) for folder in ("shapes", "reports") for name, errors in expected(folder).items()]


@pytest.mark.parametrize(("folder", "name", "errors"), CASES, ids=[f"{folder}-{name}" for folder, name, _ in CASES])
def test_tells_of_the_errors_of(folder: str, name: str, errors: list[str]) -> None:
    text = (PASTES / folder / f"{name}.txt").read_bytes().decode()
    assert [told(error) for error in read_paste(text).occurrences] == errors


@pytest.mark.parametrize("folder", ["shapes", "reports"])
def test_each_sample_is_expected_to_tell_of_something(folder: str) -> None:
    assert {path.stem for path in (PASTES / folder).glob("*.txt")} == set(expected(folder))
