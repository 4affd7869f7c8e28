"""The conditions under which a site is reached, in words."""

# ruff: noqa: E501  (a row holds a whole source)

import pytest

from tests.scanning.python.reading import sites_of

BODIES = [
    ("raise E", ["In `f`, always"]),
    ("if x is None:\n    raise E", ["In `f`, when `x is None`"]),
    ("if not x:\n    raise E", ["In `f`, when `not x`"]),
    ("if x:\n    pass\nelse:\n    raise E", ["In `f`, when not (`x`)"]),
    ("if not x:\n    pass\nelse:\n    raise E", ["In `f`, when `x`"]),
    ("if x is None:\n    pass\nelse:\n    raise E", ["In `f`, when `x is not None`"]),
    ("if x and y:\n    pass\nelse:\n    raise E", ["In `f`, when not (`x and y`)"]),
    ("if x == 1:\n    pass\nelif x == 2:\n    raise E", ["In `f`, when `x != 1`", "when `x == 2`"]),
    ("if x:\n    pass\nelif y:\n    pass\nelse:\n    raise E", ["In `f`, when not (`x`)", "when not (`y`)"]),
    ("if x:\n    if y:\n        raise E", ["In `f`, when `x`", "when `y`"]),
    ("if x:\n    return\nraise E", ["In `f`, when not (`x`)"]),
    ("if x is None:\n    return 1\nif y:\n    raise E", ["In `f`, when `x is not None`", "when `y`"]),
    ("if x:\n    return\nelif y:\n    return\nraise E", ["In `f`, when not (`x`)", "when not (`y`)"]),
    ("if x:\n    g()\nelse:\n    return\nraise E", ["In `f`, when `x`"]),
    ("if x:\n    sys.exit(1)\nraise E", ["In `f`, when not (`x`)"]),
    ("for y in x:\n    if y in seen:\n        continue\n    raise E", ["In `f`, for each `y` in `x`", "when `y not in seen`"]),
    ("for y in x:\n    if y:\n        break\nelse:\n    raise E", ["In `f`, after the loop over `x` has ended without `break`"]),
    ("while x > 0:\n    raise E", ["In `f`, while `x > 0`"]),
    ("while True:\n    raise E", ["In `f`, always"]),
    ("while x:\n    pass\nelse:\n    raise E", ["In `f`, after the loop while `x` has ended without `break`"]),
    ("with open(x) as y:\n    raise E", ["In `f`, inside `with open(x)`"]),
    ("try:\n    g()\nexcept KeyError:\n    raise E", ["In `f`, after `KeyError` was caught"]),
    ("try:\n    g()\nexcept (A, B) as e:\n    raise E", ["In `f`, after `(A, B)` was caught"]),
    ("try:\n    g()\nexcept:\n    raise E", ["In `f`, after any exception was caught"]),
    ("try:\n    g()\nexcept A:\n    pass\nelse:\n    raise E", ["In `f`, when `A` was not raised"]),
    ("try:\n    raise E\nfinally:\n    g()", ["In `f`, always"]),
    ("try:\n    g()\nfinally:\n    raise E", ["In `f`, whether or not an exception was raised"]),
    ("match x:\n    case [1, y] if y:\n        raise E", ["In `f`, when `x` matches `[1, y]` and `y`"]),
    ("match x:\n    case 1:\n        pass\n    case _:\n        raise E", ["In `f`, when `x` matches no other case"]),
    ("assert x is not None", ["In `f`, when `x is None`"]),
    ("assert False, 'never'", ["In `f`, always"]),
    ("if (x and\n        y):\n    raise E", ["In `f`, when `x and y`"]),
    ("if x(\n    1,\n    y,\n) and (\n    y\n    .z\n):\n    raise E", ["In `f`, when `x(1, y) and (y.z)`"]),
    ("if (x and  # why\n        y):\n    raise E", ["In `f`, when `x and y`"]),
    ("if x['ä'] == 'ö' and y:\n    raise E", ["In `f`, when `x['ä'] == 'ö' and y`"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "conditions"), BODIES)
def test_says_when_a_site_is_reached(body, conditions):
    lines = "\n".join("    " + line for line in body.splitlines())
    (site,) = sites_of(f"def f(x, y):\n{lines}\n")
    assert list(site.conditions) == conditions


def test_names_the_method():
    source = """
    class AscendKVManager:
        def send_kvcache(self, dst_device_kv_indices=None):
            if dst_device_kv_indices is not None:
                raise NotImplementedError("no")
    """
    (site,) = sites_of(source)
    assert site.conditions == ("In `AscendKVManager.send_kvcache`, when `dst_device_kv_indices is not None`",)


@pytest.mark.parametrize(
    ("source", "conditions"), [("raise E", ("On import",)), ("if x:\n    raise E", ("On import, when `x`",))]
)
def test_at_module_level_the_import_is_the_entry(source, conditions):
    (site,) = sites_of(source)
    assert site.conditions == conditions


def test_long_expressions_are_cut():
    (site,) = sites_of("if " + " and ".join(f"name{n}" for n in range(100)) + ":\n    raise E")
    assert len(site.conditions[0]) < 200
    assert site.conditions[0].endswith("…`")


def test_the_nearest_steps_are_kept():
    source = "def f(x):\n" + "".join(f"    if x == {n}:\n        return\n" for n in range(50)) + "    raise E\n"
    (site,) = sites_of(source)
    assert site.conditions == ("In `f`, when `x != 44`", *(f"when `x != {n}`" for n in range(45, 50)))
