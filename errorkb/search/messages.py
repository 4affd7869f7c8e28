"""Search: the entries whose message a text may be, values and all, by the keys that match goes by."""

from django.db.models import Q

from errorkb.core.match_keys import text_windows
from errorkb.core.skeletons import make_skeleton
from errorkb.models import Wording
from errorkb.search.filters import Rows

# So many wordings are looked at.
MOST_WORDINGS = 200


def entries_with_message(rows: Rows, text: str) -> Rows:
    """Filter rows to entries with a wording both of whose keys are in `text`; the first of them, by their keys."""
    windows = list(text_windows(make_skeleton([text])).found)
    keyed = Wording.objects.filter(Q(check_key__in=windows) | Q(check_key=""), key__in=windows)
    return rows.filter(entry__in=keyed.order_by("pk").values("entry")[:MOST_WORDINGS])
