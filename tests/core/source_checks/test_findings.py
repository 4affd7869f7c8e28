"""Tests of what in an entry does not agree with its source; line numbers are counted by hand in SOURCE."""

import pytest

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.source_checks import Findings, check_source

SOURCE = """\
import warnings
from json import JSONDecodeError as BadJSON
from shop.errors import (
    PriceError,
)

PREFIX = "The price of"
Alias = ValueError


class Basket:
    limit = 3

    def add(self, item):
        # A comment about adding.
        if item is None:
            raise ValueError(
                "An empty item "
                "cannot be added."
            )

        def check(price):
            if price < 0: raise PriceError(f"{PREFIX} {item!r} is {price}, below {{zero}}")
            return price

        count = self.limit
        if item.count > count:
            raise self.error("Too many of %s" % item)
        assert item.price, "An item has a price"
        self.items[item.name] = item
        warnings.warn("Baskets are going away", DeprecationWarning, stacklevel=2)
        try:
            item.load()
        except BadJSON as error:
            raise BadJSON("Broken item", "", 0) from error
        else:
            pass
        text = "Nothing at all" if item.free else "Something else"
        raise Alias(text, code="some_code")


def close(basket):
    logger.warning("Closing basket %s", basket)
    raise ValueError("A closed basket cannot be used.")


def refuse(basket):
    raise PriceError("A price %s is refused" % basket)


CHECKS = [Error("The basket is not set up.", id="shop.E001")]
"""
LINES = tuple(SOURCE.splitlines())
PLACE = "shop/basket.py (Shop 1.0 as installed)"


def entry(message, line, exception_type=None, **more):
    source = {"path": "shop/basket.py", "line": line, "release": "1.0", **more.pop("source", {})}
    document = {"schema_version": "1.0", "repository": "shop/shop", "message": message, "source": source, **more}
    if exception_type:
        document["exception_type"] = exception_type
    return validate_document(EntryDocument, document)


def findings(*arguments, **more):
    return check_source(entry(*arguments, **more), LINES, origin="Shop 1.0 as installed")


ADD = {"symbol": "Basket.add"}
TRUE = [
    (entry("An empty item cannot be added.", 17, "ValueError", source=ADD), (17, 20)),
    # any line of the statement is the statement's
    (entry("An empty item cannot be added.", 19, "builtins.ValueError", source=ADD), (17, 20)),
    # one line, nested function, doubled braces, a placeholder that some writer wrote in another way
    (entry("{PREFIX} {item!r} is {price}, below {{zero}}", 23, "PriceError", placeholders="fstring"), (23, 23)),
    (entry("%s %r is %s, below {zero}", 23, "PriceError", source={"symbol": "Basket.add.check"}), (23, 23)),
    (entry("The price of {item} is {price}", 23, "PriceError", placeholders="brace"), (23, 23)),
    (entry("", 23, "PriceError", source={"symbol": "Basket.add.<locals>.check"}), (23, 23)),
    # raised by a name that is not surely a class
    (entry("Too many of %s", 28, "BasketError", placeholders="percent"), (28, 28)),
    (entry("An item has a price", 29, "AssertionError", kind="assertion"), (29, 29)),
    (entry("'apple'", 30, "KeyError"), (30, 30)),
    (entry("Baskets are going away", 31, "DeprecationWarning", kind="warning"), (31, 31)),
    # raised in what is called there
    (entry("no network", 33, "OSError"), (33, 33)),
    # imported under another name
    (entry("Broken item", 35, "json.JSONDecodeError"), (35, 35)),
    # a name that is assigned, a message that is made a line above
    (entry("Nothing at all", 39, "ValueError"), (39, 39)),
    (entry("Closing basket %s", 43, kind="log", placeholders="percent", source={"symbol": "close"}), (43, 43)),
    (entry("The basket is not set up.", 51, code="shop.E001", source={"symbol": ""}), (51, 51)),
    # one of several wordings
    (entry("Another text", 44, "ValueError", wordings=[{"message": "A closed basket cannot be used."}]), (44, 44)),
    (entry("A closed %s", 44, "ValueError", template="A closed basket {0}", placeholders="percent"), (44, 44)),
    # the document knows of a longer statement
    (entry("A closed basket cannot be used.", 44, "ValueError", source={"end_line": 46}), (44, 46)),
]


@pytest.mark.parametrize(("document", "statement"), TRUE)
def test_finds_nothing_wrong_with_a_true_entry(document, statement):
    assert check_source(document, LINES, origin="Shop 1.0 as installed") == Findings(statement, ())


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (
            entry("An empty item cannot be added.", 16, "ValueError"),
            f"line 16 of {PLACE} reads `if item is None:`, not the throw of ValueError; its message is at line 17",
        ),
        (
            entry("An empty item cannot be added.", 15, "ValueError"),
            f"line 15 of {PLACE} reads `# A comment about adding.`, "
            "not the throw of ValueError; its message is at line 17",
        ),
        (
            entry("unknown", 21, "ValueError"),
            f"line 21 of {PLACE} is blank, not the throw of ValueError",
        ),
        (
            entry("unknown", 26, "NotImplementedError"),
            f"line 26 of {PLACE} reads `count = self.limit`, not the throw of NotImplementedError",
        ),
        # a subscript raises KeyError, but not every exception
        (
            entry("unknown", 30, "shop.errors.PriceError"),
            f"line 30 of {PLACE} reads `self.items[item.name] = item`, not the throw of shop.errors.PriceError",
        ),
        # another type
        (
            entry("A closed basket cannot be used.", 48, "ValueError"),
            f'line 48 of {PLACE} reads `raise PriceError("A price %s is refused" % basket)`, '
            "not the throw of ValueError; its message is at line 44",
        ),
        # a call may throw, but not what is thrown in so many words elsewhere
        (
            entry("An empty item cannot be added.", 33, "ValueError"),
            f"line 33 of {PLACE} reads `item.load()`, not the throw of ValueError; its message is at line 17",
        ),
        (
            entry("A closed basket cannot be used.", 43, "ValueError"),
            f'line 43 of {PLACE} reads `logger.warning("Closing basket %s", basket)`, '
            "not the throw of ValueError; its message is at line 44",
        ),
        (
            entry("Baskets are going away", 36, "DeprecationWarning", kind="warning"),
            f"line 36 of {PLACE} reads `else:`, not the warning of DeprecationWarning; its message is at line 31",
        ),
        (
            entry("unknown", 37, kind="log"),
            f"line 37 of {PLACE} reads `pass`, not the log call",
        ),
        (
            entry("unknown", 12),
            f"line 12 of {PLACE} reads `limit = 3`, not the site of an error",
        ),
        (
            entry("unknown", 52, "ValueError"),
            f"{PLACE} ends at line 51, before line 52, the throw of ValueError",
        ),
    ],
)
def test_says_that_a_line_is_surely_not_the_throw(document, told):
    assert check_source(document, LINES, origin="Shop 1.0 as installed") == Findings(None, (told,))


@pytest.mark.parametrize(
    ("symbol", "line", "exception_type", "told"),
    [
        ("add", 17, "ValueError", "`Basket.add` in the source, not `add`"),
        ("Basket.add", 23, "PriceError", "`Basket.add.check` in the source, not `Basket.add`"),
        ("", 44, "ValueError", "`close` in the source, not ``"),
        ("close", 51, None, "empty (module level) in the source, not `close`"),
    ],
)
def test_says_which_symbol_the_source_has(symbol, line, exception_type, told):
    found = findings("", line, exception_type, source={"symbol": symbol})
    assert found.disagreements == (f"{PLACE}: the symbol at line {line} is {told}",)
    assert found.statement is not None


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (
            entry("A shut basket cannot be used.", 44, "ValueError"),
            "the message does not occur near line 44, which has `A closed basket cannot be used.`",
        ),
        # the neighbour's message
        (
            entry("A closed basket cannot be used.", 17, "ValueError"),
            "the message does not occur near line 17, which has `An empty item cannot be added.`; "
            "its message is at line 44",
        ),
        (
            entry("A price %s was refused", 48, "PriceError", placeholders="percent"),
            "the message does not occur near line 48, which has `is refused`",
        ),
    ],
)
def test_says_that_the_message_is_not_the_statements(document, told):
    found = check_source(document, LINES, origin="Shop 1.0 as installed")
    assert found.disagreements == (f"{PLACE}: {told}",)


def test_says_what_a_snippet_has_otherwise_without_a_line_too():
    snippet = {"start_line": 12, "code": "    limit = 4\n"}
    document = entry("x", None, source={"snippet": snippet})
    told = f"{PLACE}: the snippet's line 12 reads `limit = 4`, the source `limit = 3`"
    assert check_source(document, LINES, origin="Shop 1.0 as installed") == Findings(None, (told,))


@pytest.mark.parametrize("path", ["shop/basket.js", "shop/basket"])
def test_checks_only_that_the_line_is_there_in_other_languages(path):
    lines = ("x", "", "throw new Error('y')")
    told = [
        check_source(entry("z", line, "Error", source={"path": path}), lines, origin="o").disagreements
        for line in (1, 2, 3, 4)
    ]
    assert told == [
        (),
        (f"line 2 of {path} (o) is blank, not the throw of Error",),
        (),
        (f"{path} (o) ends at line 3, before line 4, the throw of Error",),
    ]


def test_goes_by_the_stated_language_rather_than_by_the_path():
    source = {"path": "tools/build", "language": "Python"}
    found = check_source(entry("z", 1, "ValueError", source=source), ("x = y",), origin="o")
    assert found.disagreements == ("line 1 of tools/build (o) reads `x = y`, not the throw of ValueError",)


@pytest.mark.parametrize(
    "lines",
    [
        ("raise ValueError(", "def"),
        ("-" * 15_000 + "1",),
        ("(" * 15_000,),
        ("1" + "+1" * 9_000,),
        ("x" * 100_000,),
        ("x = 1",) * 200_000,
        ("if 1:\n pass",) + ("elif 2:\n pass",) * 20_000,
    ],
)
def test_is_silent_about_python_that_does_not_parse_or_is_too_large(lines):
    assert check_source(entry("z", 1, "ValueError"), lines, origin="o").disagreements == ()


@pytest.mark.parametrize("exception_type", ["..", "é" * 300, "[", "print", "NoSuchError"])
def test_takes_any_name_for_an_exception_type(exception_type):
    assert check_source(entry("%", 3, exception_type), LINES, origin="o").statement is None
