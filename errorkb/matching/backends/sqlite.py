"""Matching: the index in SQLite: values go in as one JSON array, each is one step down a B-tree.

Joins are CROSS JOINs, which SQLite does in the order in which they are written: https://www.sqlite.org/optoverview.html,
section 8.2. What a key brings comes as one text, because the index alone has all of it, and rows are dear.
"""

import json
from collections.abc import Iterable
from typing import Any

from errorkb.matching.backends.base import Dialect


def _array(values: Iterable[Any]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


DIALECT = Dialect(
    keyed="""
SELECT '{column}', asked.value, (
  SELECT group_concat(id) || ' ' || group_concat({other})
  FROM (SELECT id, {other} FROM errorkb_wording WHERE {column} = asked.value LIMIT %s))
FROM json_each(%s) AS asked
WHERE EXISTS (SELECT 1 FROM errorkb_wording AS known WHERE known.{column} = asked.value)
""",
    entries="""
SELECT '{column}', found.id
FROM json_each(%s) AS asked CROSS JOIN errorkb_errorentry AS found ON found.id IN (
  SELECT id FROM (SELECT id, id AS entry_id FROM errorkb_errorentry WHERE {column} = asked.value LIMIT %s) AS seen
  {where}
  ORDER BY EXISTS (SELECT 1 FROM errorkb_wording AS wording WHERE wording.entry_id = seen.id) LIMIT %s)
""",
    wordings="""
SELECT seen.id, seen.entry_id, substr(seen.template, 1, %s), seen.is_current
FROM json_each(%s) AS asked CROSS JOIN errorkb_wording AS seen ON seen.id = asked.value {where}
""",
    sites="""
SELECT entry.id, entry.public_id, entry.kind, entry.exception_type, entry.template, entry.path, entry.line,
  entry.symbol, seen.line, seen.snippet
FROM json_each(%s) AS asked CROSS JOIN errorkb_errorentry AS entry ON entry.id = asked.value
LEFT JOIN errorkb_sighting AS seen ON seen.id = entry.newest_id
WHERE entry.state = 'published'
""",
    of_repository="WHERE seen.entry_id IN (SELECT id FROM errorkb_errorentry WHERE repository_id = %s)",
    quoted="""
SELECT found.id FROM json_each(%s) AS asked CROSS JOIN errorkb_quotedmessage AS found
ON found.key = asked.value AND found.key <> '' AND found.kind IN ('stated', 'fixed') LIMIT %s
""",
    array=_array,
)
