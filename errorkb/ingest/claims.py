"""Ingest: who brought each row last in one load: a few bytes a row, for a load may bring millions."""

from array import array

# Rows share a page by the upper bits of their keys: keys of a base follow each other closely.
_PAGE = 4096


class Claims:
    """The writers of rows, by primary key."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._writers = [""]
        self._pages: dict[int, array[int]] = {}

    def __contains__(self, key: object) -> bool:
        return isinstance(key, int) and bool(self.writer(key))

    def writer(self, key: int) -> str:
        """Return who brought a row last in this load; "" where nobody did."""
        page = self._pages.get(key // _PAGE)
        return self._writers[page[key % _PAGE]] if page else ""

    def note(self, key: int, writer: str) -> None:
        """Note that a writer has brought a row."""
        number = self._numbers.get(writer)
        if number is None:
            number = self._numbers[writer] = len(self._writers)
            self._writers.append(writer)
        page = self._pages.get(key // _PAGE)
        if page is None:
            page = self._pages[key // _PAGE] = array("I", bytes(array("I").itemsize * _PAGE))
        page[key % _PAGE] = number
