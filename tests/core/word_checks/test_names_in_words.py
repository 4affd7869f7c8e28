"""Which names an entry's words speak of, and which of them a tree of source surely lacks, worked out by hand."""

import json
from pathlib import Path

import pytest

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.word_checks import VocabularyBuilder, missing_names, names_in_words
from tests.builders import entry

SEED = json.loads((Path(__file__).parents[2] / "samples/documents/error-0a4a184d34e9a38f.json").read_text("utf-8"))

# The package that the documents are about; `torch` is another's, which it imports.
SOURCE = b"""
import torch
import numpy as np
from shop.baskets import Basket

class KeyManager:
    def send_keys(self, device_indices):
        self._backend = torch.ones(device_indices)
        parser.add_argument("--enable-cache")
        max_total_tokens: int = 0
"""


def named(**words) -> list[str]:
    return [
        name.text for name in names_in_words(validate_document(EntryDocument, entry(repository="acme/shop") | words))
    ]


def missing(**words) -> list[str]:
    builder = VocabularyBuilder()
    builder.add("src/shop/keys.py", SOURCE)
    document = validate_document(EntryDocument, entry(repository="acme/shop") | words)
    return [name.text for name in missing_names(names_in_words(document), builder.vocabulary())]


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("Calling `send_all_keys` fails.", ["send_all_keys"]),
        ("Calling send_all_keys(..., device=<array>) fails.", ["send_all_keys"]),
        ("调用send_all_keys时，`AscendKeyManager`抛出。", ["AscendKeyManager", "send_all_keys"]),
        ("`LockManager` and `frobnicate()` and `_hidden`", ["LockManager", "frobnicate", "_hidden"]),
        ("The `KeyManager.send_many` method", ["KeyManager.send_many"]),
        ("`self.send_many` is called", ["self.send_many"]),
        ("Set --enable-lock or `--lock-size=3`.", ["--enable-lock", "--lock-size"]),
        ("Run `python -m shop.server --lock-size 3` or `shop serve --fast-lock`", ["--lock-size", "--fast-lock"]),
        ("`__lock_keys__` is looked up", ["__lock_keys__"]),
        ("The ShopKeyManager is closed", ["ShopKeyManager"]),
    ],
)
def test_misses_names_of_the_source_in_prose(prose, found):
    assert sorted(missing(meaning=prose)) == sorted(found)


@pytest.mark.parametrize(
    "prose",
    [
        "Plain words, HiCache, GitHub and PostgreSQL, e.g. in shop/locks.py or `conf/locks.toml`.",
        "See https://example.org/send_all_keys and a/b_c_d.",
        "`send_keys`, `KeyManager`, `KeyManager.send_keys`, `device_indices`, `--enable-cache`, `--max-total-tokens`",
        "`SHOP_LOCK_DIR` and `MAX_LOCK_KEYS` of the environment",
        "`ValueError`, `isinstance`, `__init__`, `None`, `functools.lru_cache`, `os.environ.get_many`",
        "`torch.send_many()`, `np.frob_nicate`, `boto3.frob_client`",
        "`my_view`, `your_model`, `MyModel`, `foo_bar`, `<lock_name>`, `{lock_name}`, `$lock_name`",
        "`x86_64`, `fp8_e4m3`, `en_US`, `utf_8`",
        "Another package, `rest_framework`, is missing.",
        "Sphinx's `pygments_style`, or (PyInstaller: `--collect-submodules shop`)",
        "`pip install --no-binary shop`, or pip with --no-binary",
        "Orders are found by `customer__name`.",
        "It says \"lock_the_keys\" or 'lock_the_keys'.",
        "The unclosed `backquote of a_b",
        "",
    ],
)
def test_says_nothing_of_what_may_be_somebody_elses(prose):
    assert missing(meaning=prose) in ([], ["a_b"] if "unclosed" in prose else [])


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from shop.locks import LockManager", ["shop.locks.LockManager"]),
        ("from shop import keys\nkeys.send_many()", ["keys.send_many"]),
        ("def f(conn):\n    return getattr(conn, '_lock_backend', 1)", ["_lock_backend"]),
        ("def f(conn):\n    conn.lock_keys(1)", ["conn.lock_keys"]),
        ("KeyManager.lock_keys()", ["KeyManager.lock_keys"]),
        ("lock_all_keys(1)", ["lock_all_keys"]),
        (r"def f(conn):\n    return conn.lock_keys", ["conn.lock_keys"]),
        ("try:\n    lock_all_keys()\nexcept ValueError:\n    # go on", ["lock_all_keys"]),
    ],
)
def test_misses_names_of_the_source_in_examples(code, found):
    assert missing(examples=[{"language": "python", "code": code}]) == found


@pytest.mark.parametrize(
    "code",
    [
        "from torch.locks import lock_all\nlock_all()\nimport torch as t\nt.lock_all()",
        "import requests\nrequests.lock_all()\nfrom requests import LockAll\nLockAll().lock_all()",
        "import os.path\nos.lock_all()\nprint('lock_all')",
        "lock_all = 1\nlock_all.lock_some()\nfor lock_me in []:\n    lock_me.lock_you()",
        "def lock_all(lock_me): pass\nlock_all(lock_me)",
        "class LockAll:\n    lock_me = 1\nLockAll.lock_me",
        "with open('a') as lock_file:\n    lock_file.lock_all()",
        "views.lock_all(); UserProfile.objects",
        "def f(conn):\n    conn.send_keys(device_indices=1)",
        "this is ( no Python: lock_all",
        "from .locks import lock_all",
    ],
)
def test_says_nothing_of_what_an_example_brings_itself_or_takes_from_elsewhere(code):
    assert missing(examples=[{"language": "python", "code": code}]) == []


def test_names_that_an_example_introduces_are_known_in_prose():
    example = {"language": "python", "code": "def supports_locks(conn): ..."}
    assert named(meaning="Use `supports_locks`.", examples=[example]) == []


def test_reads_solutions_and_fences_and_leaves_other_languages_alone():
    solutions = [
        "Call `lock_few_keys`.",
        {"text": "```python\nKeyManager.lock_keys()\n```\n```js\nlock_all_in_js()\n```", "code": "lock_last_keys()"},
    ]
    example = {"language": "javascript", "code": "lock_all_in_js()"}
    found = missing(solutions=solutions, examples=[example], source={"path": "a.py", "language": "python"})
    assert found == ["lock_few_keys", "KeyManager.lock_keys", "lock_last_keys"]


def test_the_seed_names_one_thing_that_its_source_lacks():
    """In 0.5.23 all of its names occur but `_ascend_backend`; the files below have the lines that hold them."""
    assert [name.text for name in names_in_words(validate_document(EntryDocument, SEED))] == [
        "send_kvcache",
        "dst_device_kv_indices",
        "--enable-hierarchical-cache",
        "is_ascend",
        "_ascend_backend",
        "conn.send_kvcache",
    ]
    builder = VocabularyBuilder()
    conn = "python/sglang/srt/disaggregation/ascend/conn.py"
    builder.add(conn, SEED["source"]["snippet"]["code"].encode() + b"\nclass AscendKVReceiver: is_ascend = True")
    builder.add("python/sglang/srt/server_args.py", b"    enable_hierarchical_cache: bool = False")
    found = missing_names(names_in_words(validate_document(EntryDocument, SEED)), builder.vocabulary())
    assert [name.text for name in found] == ["_ascend_backend"]


HOSTILE = 200_000


@pytest.mark.parametrize(
    "text",
    [
        "`" * HOSTILE,
        "` `` ``` " * (HOSTILE // 9),
        "a_b." * HOSTILE,
        "--a-" * HOSTILE,
        "_" * HOSTILE,
        "aA" * HOSTILE,
        "(" * HOSTILE,
        "`" + "(" * HOSTILE + "`",
        "a_b(" * HOSTILE,
        "```\n" * HOSTILE,
        "a_b\n" * HOSTILE,
        "\0" * HOSTILE,
    ],
)
def test_reads_hostile_texts_to_their_end(text):
    names_in_words(validate_document(EntryDocument, entry(meaning=text, examples=[{"code": text}])))


def test_a_binary_file_has_no_words():
    builder = VocabularyBuilder()
    builder.add("a/b_c.bin", b"\0 lock_keys")
    assert builder.vocabulary().words == {"a", "b_c"}
