"""Values of slots are told apart by their look."""

import pytest

from errorkb.core.slot_kinds import slot_kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("https://a.b/c?d=e", "url"),
        ("s3://bucket/key", "url"),
        ("/etc/hosts", "path"),
        ("C:\\Program Files\\x", "path"),
        ("~/models/my model", "path"),
        ("src/a.py", "path"),
        ("42", "number"),
        ("-1.5e-3", "number"),
        ("1,024", "number"),
        ("95%", "number"),
        ("0x7f3a", "hex"),
        ("deadbeef01", "hex"),
        ("123e4567-e89b-12d3-a456-426614174000", "hex"),
        ("'a b'", "quoted"),
        ('"x"', "quoted"),
        ("[1, 2]", "list"),
        ("(4, 5)", "list"),
        ("{'a': 1}", "object"),
        ("<class 'int'>", "object"),
        ("torch.Size([1, 2])", "object"),
        ("cuda:0", "word"),
        ("no such thing", "text"),
        ("a / b", "text"),
    ],
)
def test_a_value_has_the_kind_that_it_looks_like(value, kind):
    assert slot_kind(value) == kind


@pytest.mark.parametrize(
    "value", ["[" * 4_000_000, "a." * 2_000_000, "1" * 4_000_000, "'" * 4_000_000, "-" * 4_000_000]
)
def test_a_huge_value_has_a_kind(value):
    assert slot_kind(value)
