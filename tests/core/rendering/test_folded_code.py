import pytest

from errorkb.core.rendering import unfold_code

SEED_GUARD = (
    r"if conn.__class__.__name__ == 'AscendKVReceiver' or getattr(conn, 'is_ascend', False):"
    r"\n    assert dst_device_kv_indices is None, 'Ascend PD transfer cannot target device KV indices'"
)
SEED_CHECK = r"def supports_hisparse_dst(conn) -> bool:\n    return not getattr(conn, '_ascend_backend', False)"
SEED_HANDLE = (
    r"try:\n    conn.send_kvcache(..., dst_device_kv_indices=idx)\nexcept NotImplementedError:"
    r"\n    # fall back to non-HiSparse destination layout on Ascend"
)


@pytest.mark.parametrize(
    ("folded", "lines"),
    [
        (
            SEED_GUARD,
            [
                "if conn.__class__.__name__ == 'AscendKVReceiver' or getattr(conn, 'is_ascend', False):",
                "    assert dst_device_kv_indices is None, 'Ascend PD transfer cannot target device KV indices'",
            ],
        ),
        (
            SEED_CHECK,
            [
                "def supports_hisparse_dst(conn) -> bool:",
                "    return not getattr(conn, '_ascend_backend', False)",
            ],
        ),
        (
            SEED_HANDLE,
            [
                "try:",
                "    conn.send_kvcache(..., dst_device_kv_indices=idx)",
                "except NotImplementedError:",
                "    # fall back to non-HiSparse destination layout on Ascend",
            ],
        ),
        (r"if (err) {\n\tthrow err;\n}", ["if (err) {", "\tthrow err;", "}"]),
        (r"a()\r\nb()", ["a()", "b()"]),
        (r'print("a\nb")\nprint("c\td")', [r'print("a\nb")', r'print("c\td")']),
        (r"x = 'it\'s\n'\ny", [r"x = 'it\'s\n'", "y"]),
        (r"# don't\nf('x')\ng()", ["# don't", "f('x')", "g()"]),
        (r"// can't\nf();", ["// can't", "f();"]),
        (r'def f():\n    """One.\n\n    Two.\n    """', ["def f():", '    """One.', "", "    Two.", '    """']),
        (r"printf '%s\n' x\nexit", [r"printf '%s\n' x", "exit"]),
        (r"let s = `a\n`;\nf()", [r"let s = `a\n`;", "f()"]),
        (r"for a in b:\n    f()", ["for a in b:", "    f()"]),
    ],
)
def test_unfolds_into_lines(folded: str, lines: list[str]) -> None:
    assert unfold_code(folded) == "\n".join(lines)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "x = 1",
        r'print("a\nb")',
        r"print('a\n', \"\"\"b\n\"\"\")".replace('\\"', '"'),
        "a\n" + r"b\nc",
        r"echo 'a\nb' | grep \\n",
        r"open(r'C:\new\table')",
        r"cd C:\new\tools",
        r"# replace \t by spaces",
        r"a\tb",
    ],
)
def test_leaves_other_code_as_it_is(code: str) -> None:
    assert unfold_code(code) == code
