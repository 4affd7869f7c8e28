"""Matching: the index in PostgreSQL: values go in as one array, each is looked up by itself.

The LIMIT of the lateral subqueries keeps the planner from joining with the whole table by a hash of it.
"""

from errorkb.matching.backends.base import Dialect

DIALECT = Dialect(
    keyed="""
(SELECT '{column}', known.asked, (
  SELECT string_agg(id::text, ',') || ' ' || string_agg({other}, ',')
  FROM (SELECT id, {other} FROM errorkb_wording WHERE {column} = known.asked LIMIT known.most) AS few)
FROM (
  SELECT asked, most FROM (SELECT %s::integer AS most) AS bound CROSS JOIN unnest(%s::varchar[]) AS asked
  CROSS JOIN LATERAL (SELECT 1 FROM errorkb_wording AS one WHERE one.{column} = asked LIMIT 1) AS one) AS known)
""",
    entries="""
(SELECT '{column}', found.id FROM unnest(%s::varchar[]) AS asked
CROSS JOIN LATERAL (
  SELECT id FROM (SELECT id, id AS entry_id FROM errorkb_errorentry WHERE {column} = asked LIMIT %s) AS seen
  {where}
  ORDER BY EXISTS (SELECT 1 FROM errorkb_wording AS wording WHERE wording.entry_id = seen.id) LIMIT %s) AS found)
""",
    wordings="""
SELECT seen.id, seen.entry_id, substr(seen.template, 1, %s), seen.is_current
FROM unnest(%s::bigint[]) AS asked CROSS JOIN LATERAL (
  SELECT * FROM errorkb_wording WHERE id = asked LIMIT 1) AS seen {where}
""",
    sites="""
SELECT entry.id, entry.public_id, entry.kind, entry.exception_type, entry.template, entry.path, entry.line,
  entry.symbol, seen.line, seen.snippet::text
FROM unnest(%s::bigint[]) AS asked CROSS JOIN LATERAL (
  SELECT * FROM errorkb_errorentry WHERE id = asked LIMIT 1) AS entry
LEFT JOIN errorkb_sighting AS seen ON seen.id = entry.newest_id
WHERE entry.state = 'published'
""",
    of_repository="""
WHERE EXISTS (SELECT 1 FROM errorkb_errorentry AS entry WHERE entry.id = seen.entry_id AND entry.repository_id = %s)
""",
    quoted="""
SELECT found.id FROM errorkb_quotedmessage AS found
WHERE found.key = ANY(%s::varchar[]) AND found.key <> '' AND found.kind IN ('stated', 'fixed') LIMIT %s
""",
    array=list,
)
