"""Web pages: long lists cut into pages, and the links between them."""

from dataclasses import dataclass

from django.http import Http404, QueryDict

MAX_PAGE = 100_000


@dataclass(frozen=True)
class Pager:
    """Where the reader is in a list of pages, and the addresses of the page before and the page after.

    `stated` says where that is, where pages have no numbers.
    """

    number: int
    count: int
    here: str
    previous: str
    next: str
    stated: str = ""

    @property
    def position(self) -> str:
        return self.stated or f"Page {self.number} of {self.count}"


def page_number(parameters: QueryDict) -> int:
    """Return the page that is asked for, the first where none is. Raises Http404 for what is no number of a page."""
    stated = parameters.get("page", "1")
    if not (stated.isascii() and stated.isdecimal()) or not 1 <= int(stated[:7]) <= MAX_PAGE:
        raise Http404("no such page")
    return int(stated[:7])


def pager(address: str, parameters: QueryDict, number: int, count: int) -> Pager:
    """Return the pager of a list of `count` pages at `address`, whose other parameters its links keep."""
    return Pager(
        number=number,
        count=count,
        here=list_address(address, parameters, number),
        previous=list_address(address, parameters, number - 1) if number > 1 else "",
        next=list_address(address, parameters, number + 1) if number < count else "",
    )


def list_address(address: str, parameters: QueryDict, number: int) -> str:
    """Return the address of a page of a list; the first page has no number."""
    kept = parameters.copy()
    kept.pop("page", None)
    if number > 1:
        kept["page"] = str(number)
    return f"{address}?{kept.urlencode()}" if kept else address
