"""Search: the entries whose message a text may be, values and all, by the keys that match goes by."""

from django.db import connection

from errorkb.core.match_keys import text_windows
from errorkb.core.skeletons import make_skeleton
from errorkb.models.kept_plans import plans_kept
from errorkb.models.lookups import among

# So many wordings are looked at.
MOST_WORDINGS = 200
# Of a limit and the order of a column, PostgreSQL might make a walk through all wordings: so it is the order of a sum.
_KEYED = "SELECT entry_id FROM errorkb_wording WHERE {} AND ({} OR check_key = '') ORDER BY id + 0 LIMIT {}"


def entries_with_message(text: str) -> list[int]:
    """Return the primary keys of entries with a wording both of whose keys are in `text`: the first ones; one query."""
    windows = text_windows(make_skeleton([text])).found
    (key, wanted), (check_key, _) = among("key", windows), among("check_key", windows)
    with plans_kept(connection), connection.cursor() as cursor:
        cursor.execute(_KEYED.format(key, check_key, MOST_WORDINGS), [wanted, wanted])
        return [entry for (entry,) in cursor.fetchall()]
