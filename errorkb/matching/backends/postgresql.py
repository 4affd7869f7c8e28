"""Matching: the index in PostgreSQL: keys go in as one array, each is looked up by itself.

The LIMIT of the lateral subqueries keeps the planner from joining with the whole table by a hash of it.
"""

from errorkb.matching.backends.base import Dialect

DIALECT = Dialect(
    known="""
SELECT asked FROM unnest(%s::varchar[]) AS asked
CROSS JOIN LATERAL (SELECT 1 FROM errorkb_wording AS known WHERE known.{column} = asked LIMIT 1) AS one
""",
    wordings="""
(SELECT found.id, found.entry_id, substr(found.template, 1, %s), found.key, found.check_key
FROM unnest(%s::varchar[]) AS asked CROSS JOIN LATERAL (
  SELECT * FROM (SELECT * FROM errorkb_wording WHERE {column} = asked LIMIT %s) AS seen
  {where} LIMIT %s) AS found)
""",
    entries="""
(SELECT '{column}', asked, found.id
FROM unnest(%s::varchar[]) AS asked CROSS JOIN LATERAL (
  SELECT id FROM (SELECT id, id AS entry_id FROM errorkb_errorentry WHERE {column} = asked LIMIT %s) AS seen
  {where}
  ORDER BY EXISTS (SELECT 1 FROM errorkb_wording AS wording WHERE wording.entry_id = seen.id) LIMIT %s) AS found)
""",
    of_repository="""
WHERE EXISTS (SELECT 1 FROM errorkb_errorentry AS entry WHERE entry.id = seen.entry_id AND entry.repository_id = %s)
""",
    array=list,
)
