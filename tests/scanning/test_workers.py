import multiprocessing
import os
import signal
from itertools import count

import pytest

from errorkb.scanning.extraction import Extracted, Job, unpack
from errorkb.scanning.workers import DIED, extract_all
from tests.scanning.failing import extract_or_fail

SLOW = "reading it took more than 2 seconds"


def jobs(**contents):
    return [Job(f"{name}-key", f"{name}.py", content.encode()) for name, content in contents.items()]


def answers(work, **options):
    return {job.path: answer for job, answer in extract_all(work, **{"workers": 2, **options})}


def test_answers_every_file_once():
    work = [Job(str(number), f"{number}.py", b"raise ValueError('upper %d')" % number) for number in range(500)]
    found = answers(work, extract=extract_or_fail)
    assert found == {f"{number}.py": b"RAISE VALUEERROR('UPPER %d')" % number for number in range(500)}


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_finds_the_sites_of_files(workers):
    found = answers(jobs(a="raise ValueError('a')\n", b="x = 1\ny = 2"), workers=workers)
    a, b = (unpack(found[path], Extracted).facts for path in ("a.py", "b.py"))
    assert [(site.exception_type, site.line) for site in a.sites] == [("ValueError", 1)]
    assert (b.path, b.lines, b.sites) == ("b.py", 2, ())


@pytest.mark.parametrize(("word", "reason"), [("die", DIED), ("leave", DIED), ("sleep", SLOW)])
def test_goes_on_without_the_file_that_a_worker_dies_of(word, reason):
    work = {f"fine{number}": "upper" for number in range(100)}
    contents = {**work, "bad": word, **{f"more{number}": "upper" for number in range(100)}}
    found = answers(jobs(**contents), extract=extract_or_fail, seconds=2)
    assert found.pop("bad.py") == reason
    assert found == {f"{name}.py": b"UPPER" for name in contents if name != "bad"}


def test_goes_on_when_most_files_are_deadly():
    found = answers(jobs(**{f"bad{number}": "die" for number in range(20)}, fine="upper"), extract=extract_or_fail)
    assert found.pop("fine.py") == b"UPPER"
    assert found == {f"bad{number}.py": DIED for number in range(20)}


def test_takes_no_more_files_than_it_needs_and_leaves_no_process_behind():
    taken = count()

    def endless():
        for number in taken:
            yield Job(str(number), f"{number}.py", b"upper" * 10_000)

    found = extract_all(endless(), workers=2, extract=extract_or_fail)
    next(found)
    assert next(taken) < 100
    assert len(multiprocessing.active_children()) == 2
    found.close()
    assert multiprocessing.active_children() == []


def test_starts_no_process_for_no_files():
    assert list(extract_all([], workers=2)) == []
    assert multiprocessing.active_children() == []


def test_starts_another_worker_for_one_that_was_killed_while_idle():
    def work():
        yield from jobs(a="upper" * 100_000)
        for process in multiprocessing.active_children():
            os.kill(process.pid, signal.SIGKILL)
        yield from jobs(b="upper")

    found = answers(work(), workers=1, extract=extract_or_fail)
    assert set(found) == {"a.py", "b.py"}
