"""A program that asks a base a hundred and more questions of all kinds and prints what comes first, as JSON.

Run on two bases that were filled alike, it tells whether search is the same on both.
"""

import json
import os
import sys
from collections.abc import Iterator
from itertools import islice

import django
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "errorkb.settings")

BY_HAND = """
HiSparse
dst_device_kv_indices
kv_indices
Ascend PD transfer does not support HiSparse destination device KV indices
"does not support" HiSparse
"kv indices" -ascend
Missing staticfiles manifest entry for 'css/style.css'
Reverse for 'edit' with arguments '('',)' not found. 1 pattern(s) tried: ['e/$']
'polls' is not a registered namespace
Field 'price' expected a number but got 'cheap'.
修复
接口漂移
设备
传输 ascend
the of and
is not a
error
value
-value
-the -of
name -"is not"
"%s"
"must be"
"expected a number but got"
type:ValueError
type:valueerror name
type:*Error must
type:TypeError -str
repo:django/django
repo:django field
repo:gunicorn config
path:gunicorn/*.py
path:conn.py
path:pydantic/v1 field
symbol:parse
symbol:*.validate
kind:assertion
kind:pull_request
kind:warning deprecated
lang:python version
lang:PYTHON invalid
is:explained
is:facts-only invalid
is:reviewed
is:current expected
code:E304
is:removed
NotImplmentedError
invalid literl for int
valid
vali
confi
a
A B C
--workers
/etc/passwd
C:\\Users\\me
0.5.18
E304
__init__
*args **kwargs
List[int]
None
fields.E304
ImproperlyConfigured
improperly configured settings module
Could not read or parse the file
zzzz
zzzz error python
qwertz value uiopü
cannot import name 'x' from 'y'
'NoneType' object has no attribute 'split'
TypeError: f() takes 2 positional arguments but 3 were given
SELECT * FROM errors WHERE 'a' = "b" -- DROP
NEAR(a b, 3) title: {x} : y*
it's a dog's life
école Échec ＦＵＬＬ ｗｉｄｔｈ
Ошибка
🙂 emoji
'
"
\\
a'b "c d" e\\f
"""
EVERY = 17


def questions() -> Iterator[str]:
    """Yield what to ask: by hand, and from every so manyth entry its message, a piece of that, its names and place."""
    yield from BY_HAND.strip().splitlines()
    rows = apps.get_model("errorkb", "ErrorEntry").objects.order_by("public_id")
    columns = ("message", "exception_type", "symbol", "path")
    for message, exception_type, symbol, path in islice(rows.values_list(*columns), 0, None, EVERY):
        words = message.split()
        yield f"{exception_type}: {message}"[:300]
        yield " ".join(words[len(words) // 3 : len(words) // 3 + 4]) or exception_type
        yield " ".join(reversed(words[:6])) or symbol
        yield symbol or path
        yield f"{path.rpartition('/')[2]} {exception_type}"
        yield message.replace("{", "value-17 ").replace("%s", "'x.png'")[:200] or path


def main() -> int:
    """Print for each question the first ten results, how many there are, and what is said of them."""
    django.setup()
    from errorkb.core.queries import parse_query  # noqa: PLC0415 - there are no models before
    from errorkb.search.searching import search  # noqa: PLC0415

    for question in questions():
        found = search(parse_query(question), per_page=10)
        names = [getattr(result.subject, "public_id", str(result.subject)) for result in found.results]
        shown = ["".join(f"<{piece}>" if hit else piece for piece, hit in result.excerpt) for result in found.results]
        said = [found.total, found.is_cut, found.some_words, found.unknown, found.problems]
        print(json.dumps([question, names, said, shown], ensure_ascii=False))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
