"""The errors that reports quote in prose, and what of a message tells one error from another."""

import pytest

from errorkb.core.documents import PullRequestDocument, validate_document
from errorkb.core.report_evidence import introducers, is_telling, plain_template, quoted_errors, quoted_template
from errorkb.core.report_evidence.errors import telling_bits


def report(text: str, **fields) -> PullRequestDocument:
    document = {"schema_version": "1.0", "repository": "o/n", "number": 1, "report": {"motivation": text}} | fields
    return validate_document(PullRequestDocument, document)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Fix error: got an unexpected keyword argument 'a_b'。更多", ("", "got an unexpected keyword argument 'a_b'")),
        ("Fixes the crash: `ValueError: no room for 12`. More.", ("ValueError", "no room for 12")),
        ("This fixes `RuntimeError: out of room on 3` seen by users.", ("RuntimeError", "out of room on 3")),
        ('Fix bug: "cannot open file" when empty.', ("", "cannot open file")),
        ("修复报错：TypeError: f() missing 1 argument: 'b'。然后", ("TypeError", "f() missing 1 argument: 'b'")),
        ("Resolves the issue: 无法打开文件；另外", ("", "无法打开文件")),
    ],
)
def test_takes_what_a_sentence_says_it_fixes(text, quoted):
    (error,) = quoted_errors(report(text))
    assert (error.exception_type, error.message, error.fixes) == (*quoted, True)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Now raises ValueError: bad thing when it is None.", "Fix it"),
        ("Users saw ValueError: bad thing when it is None.", "Add a feature"),
    ],
)
def test_other_errors_are_quoted_only(text, title):
    (error,) = quoted_errors(report(text, title=title))
    assert (error.exception_type, error.fixes) == ("ValueError", False)


@pytest.mark.parametrize(
    "text", ["Fix error message formatting", "Fix the tests: they were slow. ", "ValueError is fine"]
)
def test_takes_no_other_words_for_an_error(text):
    assert [error for error in quoted_errors(report(text)) if error.exception_type] == []


@pytest.mark.parametrize(
    ("message", "template"),
    [
        ("no room for 12 in {pool}: got 'abc'", "no room for {0} in {{pool}}: got 'abc'"),
        ("cannot read /a/b.txt at 0xff", "cannot read {0} at {1}"),
        ("E0277 in v1", "E0277 in v1"),
    ],
)
def test_numbers_addresses_and_paths_are_slots(message, template):
    assert quoted_template(message) == template


def test_the_plain_template_has_no_value():
    assert (
        plain_template("got an unexpected keyword argument 'a_b'").split(" {")[0]
        == "got an unexpected keyword argument"
    )


@pytest.mark.parametrize(
    ("message", "telling"),
    [
        ("no room for it", True),
        ("'currency'", False),
        ("dst_device_kv_indices", False),
        ("42", False),
        ("解码节点已经耗尽", True),
    ],
)
def test_a_bare_value_is_no_message(message, telling):
    assert is_telling(message) is telling


def test_of_what_python_says_only_the_values_tell():
    argument = "got an unexpected keyword argument '{}'"
    rare, common = telling_bits(argument.format("dst_device_kv_indices")), telling_bits(argument.format("x"))
    assert rare is not None and common is not None and rare > 25 > common
    assert telling_bits("'NoneType' object has no attribute 'shape'") < 25
    assert telling_bits("prefill pool of the decode worker is exhausted") is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Introduced by PR #31901", [(31901, None)]),
        ("该错误由 PR#31901 引入。", [(31901, None)]),
        ("This bug was introduced by o/x#12.", [(12, "o/x")]),
        ("It is a regression from https://github.com/a/b/pull/9 of May.", [(9, "a/b")]),
        ("The flag was introduced in #5.", []),
        ("introduced by #1", []),
        ("introduced by nobody", []),
    ],
)
def test_reads_who_brought_an_error(text, named):
    assert [(one.number, one.repository) for one in introducers(report(text))] == named


@pytest.mark.parametrize("piece", ["Fix error: x\n", "TypeError: ", "由 PR#5 引入", "A.", "introduced by ", "'", "。"])
def test_reads_a_megabyte_of_anything(piece):
    document = report(piece * (1_000_000 // len(piece.encode())))
    assert len(quoted_errors(document)) <= 50
    assert len(introducers(document)) <= 20
