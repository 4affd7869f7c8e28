"""Where the message of an error stands in a paste, told by offsets in its skeleton."""

import json

import pytest

from errorkb.matching.readings import read

TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/a.py", line 1, in f
    raise Lost(name)
shop.Lost: no such shelf: 12
2026-11-03 08:10:22 INFO shop: next order
"""


@pytest.mark.parametrize("text", [TRACEBACK, json.dumps({"stack": TRACEBACK}), json.dumps({"a": {"b": TRACEBACK}})])
def test_a_message_ends_where_the_next_line_begins_however_many_lines_a_line_carries(text):
    reading = read(text)
    (error,) = [one for one in reading.paste.occurrences if one.type_name == "Lost"]
    start, end = reading.start_of_message(error), reading.end_of_message(error)
    assert reading.skeleton.letters[start:end] == "nosuchshelf12"
