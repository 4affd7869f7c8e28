"""Tests of match on provoked errors: a row is a call that raises, and where its library's source throws that error."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass

# Repository and package of each library that errors are provoked from.
LIBRARIES = {
    "django": "django/django",
    "requests": "psf/requests",
    "click": "pallets/click",
    "pydantic": "pydantic/pydantic",
    "sqlalchemy": "sqlalchemy/sqlalchemy",
    "networkx": "networkx/networkx",
}


@dataclass(frozen=True)
class Row:
    """A call, and the throw site that a reader of the library's source finds for it: path in the package, symbol."""

    name: str
    call: Callable[[], object]
    path: str
    symbol: str

    def traceback(self) -> str:
        """Make the call, and return the traceback that it leaves as Python prints it."""
        try:
            self.call()
        except BaseException as error:
            return "".join(traceback.format_exception(error))
        raise AssertionError(f"{self.name} raised nothing")


class Rows(list[Row]):
    """The rows of one library."""

    def thrown_at(self, path: str, symbol: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
        """Add the decorated function as a row whose error is thrown there."""

        def add(call: Callable[[], object]) -> Callable[[], object]:
            self.append(Row(call.__name__, call, path, symbol))
            return call

        return add
