"""The bytes of a paste as text."""

import pytest

from errorkb.core.paste_bytes import UnknownCharsetError, decode_paste, paste_size, tidy_paste


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        (b"caf\xc3\xa9", "utf-8", "café"),
        (b"caf\xe9", "utf-8", "caf\ufffd"),
        (b"caf\xe9", "ISO-8859-1", "café"),
        (b"\xef\xbb\xbfa", "utf-8", "a"),
        ("é\r\n".encode("utf-16-le").join([b"\xff\xfe", b""]), "utf-8", "é\r\n"),
        (b"\xfe\xff\x00a", "utf-8", "a"),
        (b"\xff\xfea\x00b", "utf-8", "a\ufffd"),
        (b"a\x00b", "utf-8", "a\ufffdb"),
        (b"\xed\xa0\x80", "utf-8", "\ufffd" * 3),
        (b"", "utf-8", ""),
    ],
)
def test_reads_any_bytes(data, charset, text):
    assert decode_paste(data, charset) == text


@pytest.mark.parametrize("charset", ["nonsense", "hex", "zlib", "idna", "unicode_escape", "rot13", "", "a\x00b"])
def test_names_a_charset_that_is_none(charset):
    with pytest.raises(UnknownCharsetError):
        decode_paste(b"a", charset)


def test_holds_nothing_that_an_answer_cannot():
    assert tidy_paste("a\x00\ud800b") == "a\ufffd\ufffdb"


@pytest.mark.parametrize(("text", "size"), [("é", 2), ("a\r\nb", 3), ("\ud800", 3), ("", 0), (b"\xe9\r\n", 2)])
def test_counts_bytes_as_an_editor_does(text, size):
    assert paste_size(text) == size
