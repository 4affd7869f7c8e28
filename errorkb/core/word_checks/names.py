"""Core: what looks like a name of code, and what of that belongs to Python or to nobody."""

import builtins
import keyword
import re
import sys
from dataclasses import dataclass

from errorkb.core.word_checks.known_words import FILE_ENDINGS, PLACEHOLDERS, PRODUCTS, READERS_MODULES

# Longer names are data.
LONGEST_NAME = 200
_DUNDERS_OF = (object, type, int, str, list, dict, set, property, BaseException, type(lambda: None), type(sys))
_CAMEL = re.compile(r"_*+[A-Z][A-Z0-9]*+[a-z][a-z0-9]*+(?:[A-Z][A-Za-z0-9]*+)++")
_ALPHABETIC = re.compile(r"[A-Za-z]{2,}+")
# `en_US`, `zh_Hans`, `utf_8`: names of other things than code.
_LOCALE = re.compile(r"[a-z]{2,3}_[A-Z][A-Za-z]{1,3}")


@dataclass(frozen=True)
class Name:
    """A name as it is written, and what says that it is there: one word of each group.

    `root` is the name that it hangs on; where that is not the source's own, nothing can be said.
    """

    text: str
    groups: tuple[tuple[str, ...], ...]
    root: str = ""


def is_pythons(name: str) -> bool:
    """Say whether a name is a keyword, built in, of the data model, or that of a module of the standard library."""
    is_known = keyword.iskeyword(name) or keyword.issoftkeyword(name) or hasattr(builtins, name)
    return is_known or name in _DUNDERS or name in sys.stdlib_module_names


def is_placeholder(name: str) -> bool:
    """Say whether a name stands for one of the reader's own: `my_view`, `YourModel`."""
    parts = {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return bool(parts & PLACEHOLDERS)


def is_readers_module(name: str) -> bool:
    """Say whether code that imports no such name may mean a module of the reader's own: `views`."""
    return name in READERS_MODULES


def is_snake(name: str) -> bool:
    """Say whether a name is written as `snake_case` or `_hidden` is.

    Constants, words with digits and what only joins names of others, as `author__name` does, are not.
    """
    inner = name.strip("_")
    if name.upper() == name or _LOCALE.fullmatch(inner) or "__" in inner:
        return False
    parts = [part for part in inner.split("_") if _ALPHABETIC.fullmatch(part)]
    if name.startswith("__") and name.endswith("__") and inner:
        return True
    return len(parts) >= 2 or (name.startswith("_") and "_" not in inner and len(inner) > 3 and inner.isalpha())


def is_camel(name: str) -> bool:
    """Say whether a name is that of a class with two humps: `KeyManager`, but no product's."""
    return bool(_CAMEL.fullmatch(name)) and name not in PRODUCTS and not name.endswith(("DB", "SQL", "OS", "ML"))


def looks_like_code(name: str) -> bool:
    """Say whether a single name can be nothing but one of code."""
    return (is_snake(name) or is_camel(name)) and not is_pythons(name) and not is_placeholder(name)


def flag_name(flag: str) -> Name:
    """Return a command's option as a name: in source it may be written as one, or as the variable that it sets."""
    plain = flag.removeprefix("--")
    variable = plain.replace("-", "_")
    positive = variable.removeprefix("no_")
    return Name(flag, ((f"--{plain}", f"--{plain.replace('_', '-')}", variable, positive),))


def dotted_name(text: str, *, is_call: bool = False) -> Name | None:
    """Return `a.b.c` as a name, None where it says nothing.

    Of a name with dots, the first part is the root, unless it is `self`; the others must be there.
    """
    parts = text.split(".")
    if parts[0] in ("self", "cls") and len(parts) > 1:
        parts = parts[1:]
    if any(is_placeholder(part) for part in parts):
        return None
    if len(parts) == 1:
        return _single(text, parts[0], is_call=is_call)
    if is_pythons(parts[0]) or parts[-1].lower() in FILE_ENDINGS:
        return None
    inner = tuple((part,) for part in parts[1:] if not is_pythons(part) and not part.isupper())
    return Name(text, inner, root=parts[0]) if inner and (is_call or any(map(_is_coded, parts))) else None


def _single(text: str, name: str, *, is_call: bool) -> Name | None:
    is_called = is_call and len(name) > 3 and not name.isupper() and not is_pythons(name)
    return Name(text, ((name,),)) if is_called or looks_like_code(name) else None


def _is_coded(part: str) -> bool:
    return is_snake(part) or is_camel(part) or part[:1].isupper()


_DUNDERS = frozenset(name for kind in _DUNDERS_OF for name in dir(kind) if name.startswith("__")) | {
    "__main__", "__file__", "__path__", "__all__", "__version__", "__future__", "__slots__", "__wrapped__",
    "__cause__", "__context__", "__suppress_context__", "__traceback__", "__notes__", "__iter__", "__next__",
    "__enter__", "__exit__", "__aenter__", "__aexit__", "__aiter__", "__anext__", "__await__", "__call__",
    "__index__", "__fspath__", "__missing__", "__post_init__", "__set_name__", "__class_getitem__",
}  # fmt: skip
