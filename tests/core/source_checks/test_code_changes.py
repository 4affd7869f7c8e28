"""What counts as a change of the code around a throw site, decided by hand; the seed's from both releases' sources."""

import json
from pathlib import Path

import pytest

from errorkb.core.source_checks import CodeAround, code_changes

SEED = json.loads((Path(__file__).parents[2] / "samples/documents/error-0a4a184d34e9a38f.json").read_text("utf-8"))

OLD = """\
def f(x):
    if x is None:
        raise ValueError("no x")
    return x
"""
# The throw stands on line 12 of the old file.
BEGINS = 10


def changes(new: str, *, line: int, start: int = 100, old: str = OLD) -> list[str]:
    signs = {"same": " ", "removed": "-", "added": "+"}
    found = code_changes(CodeAround(BEGINS, old, 12), CodeAround(start, new, line))
    return [f"{signs[each.change]}{each.line} {each.text}" for each in found]


@pytest.mark.parametrize(
    ("new", "line"),
    [
        (OLD, 102),
        (OLD.replace("\n", "\n\n"), 104),
        (OLD.replace("\n", " \t\n"), 102),
        (OLD.replace("\n", "\r\n"), 102),
        ("\n".join("    " + text for text in OLD.split("\n")), 102),
        ("import a\n\n\ndef e():\n    pass\n\n" + OLD, 108),
        (OLD + "\ndef g():\n    return 1\n", 102),
        ('        raise ValueError("no x")', 100),
        ('    if x is None:\n        raise ValueError("no x")\n    return x', 101),
        ("", 100),
        (OLD, 99),
        (OLD, 300),
        ("a\n\nb", 101),
    ],
)
def test_finds_no_change_where_the_site_moved_or_less_of_it_is_known(new, line):
    assert changes(new, line=line) == []


@pytest.mark.parametrize(
    ("new", "line", "found"),
    [
        (
            OLD.replace("is None", "== 0"),
            102,
            [
                " 100 def f(x):",
                "-11     if x is None:",
                "+101     if x == 0:",
                ' 102         raise ValueError("no x")',
                " 103     return x",
            ],
        ),
        (
            OLD.replace("    if", "    log(x)\n    if"),
            103,
            [
                " 100 def f(x):",
                "+101     log(x)",
                " 102     if x is None:",
                ' 103         raise ValueError("no x")',
                " 104     return x",
            ],
        ),
        (
            OLD.replace("no x", "x is missing"),
            102,
            [
                " 100 def f(x):",
                " 101     if x is None:",
                '-12         raise ValueError("no x")',
                '+102         raise ValueError("x is missing")',
                " 103     return x",
            ],
        ),
        (
            OLD.replace("        raise", "        log(x)\n        raise"),
            103,
            [
                " 100 def f(x):",
                " 101     if x is None:",
                "+102         log(x)",
                ' 103         raise ValueError("no x")',
                " 104     return x",
            ],
        ),
        (
            OLD.replace("    return x", "        return x"),
            102,
            [
                " 100 def f(x):",
                " 101     if x is None:",
                ' 102         raise ValueError("no x")',
                "-13     return x",
                "+103         return x",
            ],
        ),
    ],
)
def test_shows_what_changed_with_its_neighbours(new, line, found):
    assert changes(new, line=line) == found


def test_says_nothing_of_the_end_of_the_longer_text_whose_lines_may_go_on_in_the_other_file():
    old = "if x:\n    a()\n    raise E\n    b()\n    c()"
    shown = changes("    raise E\n    new()", line=100, old=old)
    assert shown == [" 100     raise E", "+101     new()"]


def test_takes_no_cut_last_line_and_nothing_behind_an_elision_for_a_change():
    assert changes(OLD, line=102, old=OLD[:-4]) == []
    assert changes(OLD, line=102, old='# ...\n    if x is None:\n        raise ValueError("no x")\n    ...\n}') == []


def test_reads_code_that_arrived_on_one_line():
    assert changes(OLD, line=102, old=OLD.strip("\n").replace("\n", r"\n")) == []


def test_bounds_its_work():
    many = "\n".join(f"a{n % 7}" for n in range(200_000))
    assert code_changes(CodeAround(1, many, 100_000), CodeAround(1, many, 100_000)) == ()
    other = "\n".join(f"a{n % 5}" for n in range(200_000))
    assert len(code_changes(CodeAround(1, many, 100_000), CodeAround(1, other, 100_001))) <= 4 * 80


def test_the_seed_has_changed_by_0_5_23():
    """By hand: in 0.5.23 a path for hybrid MLA (sixteen lines) stands between the validation and the grouping."""
    source = SEED["source"]
    old = CodeAround(source["snippet"]["start_line"], source["snippet"]["code"], source["line"])
    raised = source["snippet"]["code"].split("\n")[14:25]
    assert raised[4].strip() == "raise NotImplementedError("
    begins = "        # Hybrid MLA prefill stages expose PP-local entries, while a PP=1"
    same = CodeAround(281, "\n".join(raised), 285)
    assert code_changes(old, same) == ()
    found = code_changes(old, CodeAround(281, "\n".join([*raised, begins]), 285))
    assert [(each.change, each.line, each.text.strip()) for each in found] == [
        ("same", 289, "self._validate_envelope_kv_layout("),
        ("same", 290, "dst_kv_ptrs, dst_kv_item_len, dst_attn_tp_size"),
        ("same", 291, ")"),
        ("added", 292, begins.strip()),
    ]
