"""Core: the bytes of a pasted text or of a dropped file as text: any bytes are one, nothing is refused."""

import codecs

from errorkb.core.rendering.controls import replace_unrepresentable

# What a file may begin with to say how its characters are written; Windows' own shells write UTF-16.
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Every codec that a client may name; others that Python has are no encodings of text, or slow ones.
_CHARSETS = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252", "utf-16", "gb18030", "gbk", "shift_jis"})


class UnknownCharsetError(ValueError):
    """A charset was named that pastes are not read in."""


def decode_paste(data: bytes, charset: str = "utf-8") -> str:
    """Return the bytes of a paste as text; a byte order mark goes before `charset`, what is malformed becomes U+FFFD.

    Raises UnknownCharsetError.
    """
    for mark, named in _MARKS:
        if data.startswith(mark):
            return tidy_paste(data[len(mark) :].decode(named, "replace"))
    return tidy_paste(data.decode(_codec(charset), "replace"))


def tidy_paste(text: str) -> str:
    """Return a text with U+FFFD for NUL and lone surrogates, which neither answers nor databases can hold."""
    return replace_unrepresentable(text)


def paste_size(paste: str | bytes) -> int:
    """Return how many bytes a paste has, a text in UTF-8, with line breaks of one byte: forms make them two."""
    data = paste.encode("utf-8", "surrogatepass") if isinstance(paste, str) else paste
    return len(data) - data.count(b"\r\n")


def _codec(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        name = ""
    if name not in _CHARSETS:
        raise UnknownCharsetError(charset)
    return name
