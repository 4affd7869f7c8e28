"""Core: what makes an entry the same entry: fingerprints, minted ids, titles, modules."""

import hashlib
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from posixpath import dirname

ID_DIGITS = 16
# So much of a message's beginning is looked up by an index.
MESSAGE_KEY_LENGTH = 200


@dataclass(frozen=True)
class Site:
    """What a throw site is known by within its repository, beside its place."""

    kind: str
    exception_type: str
    template: str
    symbol: str

    @property
    def key(self) -> str:
        """Return 16 hex digits that stand for this site within a repository."""
        return _digest(self.kind, self.exception_type, self.template, self.symbol)


def mint_id(repository: str, site: Site, ordinal: int) -> str:
    """Return the id that a site is given where its document brings none.

    `ordinal` counts from 0 among sites of equal fingerprint. Minted once: never recomputed for an entry that has
    an id. The repository's letter case does not matter.
    """
    return _digest(repository.lower(), site.kind, site.exception_type, site.template, site.symbol, str(ordinal))


def entry_title(exception_type: str, message: str, symbol: str) -> str:
    """Return exception type and message; where there is no message, type and place: `AssertionError in Join.f`."""
    if message:
        return f"{exception_type}: {message}" if exception_type else message
    kind = exception_type or "Error"
    return f"{kind} in {symbol}" if symbol else kind


def module_of(path: str) -> str:
    """Return the directory of a source path: `a/b/conn.py` gives `a/b`."""
    return dirname(path)


def _digest(*parts: str) -> str:
    """Return the beginning of the SHA-256 of a JSON array of texts, of ASCII alone and without blanks."""
    listed = f"[{','.join(map(encode_basestring_ascii, parts))}]"
    return hashlib.sha256(listed.encode("ascii")).hexdigest()[:ID_DIGITS]
