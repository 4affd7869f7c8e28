"""What may be kept of an error that somebody pasted: no value of it."""

import pytest

from errorkb.core.masking import MAX_TEMPLATE_LENGTH, library_path, mask_error, mask_message
from errorkb.core.tracebacks import Frame, Occurrence


@pytest.mark.parametrize(
    ("message", "masked"),
    [
        ("user 'ada' (id 7) has no file /home/ada/x.txt", "user {quoted} (id {number} has no file {path}"),
        ("no alice, no Alice, no qwerty", "no {value} no {value} no {value}"),
        ("asked Will and Mark to read None", "asked {value} and {value} to read None"),
        ("Wrong type. Use another", "Wrong type. Use another"),
        ("User Alice Smith not found", "User {value} not found"),
        ("login alice failed", "login {value} failed"),
        ("Model class shop.models.Parcel doesn't declare it", "Model class {value} doesn't declare it"),
        ("Client Error: Unauthorized for url: https://a.b/?k=z", "Client Error: {value} for url: {url}"),
        ("token=abc password: hunter", "token={value} password: {value}"),
        ("token hunter expired", "token {value} expired"),
        ("sent to ada@example.org, twice", "sent to {email} twice"),
        ("at 0x7f3a and deadbeefcafe", "at {hex} and {hex}"),
        ("expected str got 'never closed and secret", "expected str got {quoted}"),
        ('got "a b c" and `d`', "got {quoted} and {quoted}"),
        ("“curly” ‘ones’ 「角」", "{quoted}"),
        ("C:\\Users\\ada\\x is gone", "{path} is gone"),
        ("AKIAIOSFODNNEXAMPLE is bad", "{value} is bad"),
        ("aGVsbG8gd29ybGQ and correcthorsebatterystaple", "{value} and {value}"),
        ("connect to db.internal.corp:5432", "connect to {value}"),
        ("a ValueError in JSON", "a ValueError in JSON"),
        ("first line\nsecond with a secret", "first line"),
        ("\n\n  later line", "later line"),
        ("密码 是 gone", "{value} gone"),
        ("", ""),
        ("\x00\ufffd", "{value}"),
        ("{already} {{braces}}", "{already} {value}"),
    ],
)
def test_masks_every_value(message, masked):
    assert mask_message(message) == masked


@pytest.mark.parametrize("message", ["x" * 1_000_000, "' " * 500_000, "a=" * 500_000, "@." * 500_000, "(" * 1_000_000])
def test_is_bounded(message):
    assert len(mask_message(message)) <= MAX_TEMPLATE_LENGTH


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/home/ada/.venv/lib/python3.11/site-packages/django/db/models/base.py", "django/db/models/base.py"),
        ("/usr/lib/python3/dist-packages/yaml/loader.py", "yaml/loader.py"),
        ("C:\\py\\Lib\\site-packages\\a\\b.py", "a/b.py"),
        ("/x/site-packages/a/site-packages/b/c.py", "b/c.py"),
        ("/srv/node_modules/left-pad/index.js", "left-pad/index.js"),
        ("/home/ada/go/pkg/mod/golang.org/x/net@v0.1.0/http2/frame.go", "golang.org/x/net@v0.1.0/http2/frame.go"),
        ("/home/ada/secret/views.py", ""),
        ("/home/ada/site-packages", ""),
        ("/x/site-packages/a secret name/b.py", ""),
        ("/x/site-packages/" + "a/" * 200 + "b.py", ""),
        ("", ""),
    ],
)
def test_keeps_a_place_inside_a_library_only(path, kept):
    assert library_path(path) == kept


def occurrence(exception_type: str, *paths: str, message: str = "") -> Occurrence:
    frames = tuple(Frame(path, 3, "Pool._get") for path in paths)
    return Occurrence(exception_type, message, 1, 1, frames)


@pytest.mark.parametrize(
    ("exception_type", "paths", "kept"),
    [
        ("acme_secret.payments.DeclinedError", (), ("DeclinedError", "", "")),
        ("KeyError", ("/app/views.py",), ("KeyError", "", "")),
        ("Hunter", (), ("", "", "")),
        ("Http404", ("/app/views.py",), ("", "", "")),
        ("StopTraversal", ("/app/views.py",), ("StopTraversal", "", "")),
        ("a b", (), ("", "", "")),
        ("x.TimeoutError", ("/app/a.py", "/v/site-packages/x/pool.py"), ("TimeoutError", "x/pool.py", "Pool._get")),
        ("x.TimeoutError", ("/v/site-packages/x/pool.py", "/app/a.py"), ("TimeoutError", "", "")),
    ],
)
def test_keeps_the_name_of_a_type_and_the_innermost_place(exception_type, paths, kept):
    masked = mask_error(occurrence(exception_type, *paths))
    assert (masked.exception_type, masked.path, masked.symbol) == kept


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (occurrence("KeyError"), True),
        (occurrence("", message="'secret'"), False),
        (occurrence("", message="secret 'x'"), False),
        (occurrence("", message="no such place"), True),
        (occurrence(""), False),
    ],
)
def test_knows_when_nothing_is_left(error, says):
    assert mask_error(error).says_something is says
