"""Who wrote, by which command and when, in words."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from errorkb.admin.provenances import command_in_words, moment_html, writer_html


@pytest.mark.parametrize(
    ("writer", "html"),
    [
        ("person:ada", "ada"),
        ("person:{}", "{}"),
        ("file:/srv/{x}.json", 'the file <span title="/srv/{x}.json">{x}.json</span>'),
        ('file:/s"rv/<b>', 'the file <span title="/s&quot;rv/&lt;b&gt;">&lt;b&gt;</span>'),
        ("file:standard input", "standard input"),
        ("file", "files"),
        ("tool:gpt", "the tool gpt"),
        ("tool:<i>", "the tool &lt;i&gt;"),
        ("scan:django/django", "the scan of django/django"),
        ("", ""),
    ],
)
def test_writers_are_named_and_files_by_the_last_part_of_their_path(writer, html):
    assert writer_html(writer) == html


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("edit_ErrorEntry", "Change of an entry"),
        ("load_pull_requests", "Loading of pull requests"),
        ("scan_source", "Scan of source"),
        ("do_what_is_new", "Do what is new"),
    ],
)
def test_commands_are_told_in_words(command, words):
    assert command_in_words(command) == words


def test_moments_are_told_to_the_minute_in_utc():
    at = datetime(2026, 8, 5, 1, 54, 9, 250, tzinfo=timezone(timedelta(hours=8)))
    assert moment_html(at) == (
        '<time datetime="2026-08-04T17:54:09.000250+00:00" title="2026-08-04 17:54:09 UTC">2026-08-04 17:54 UTC</time>'
    )
    assert moment_html(datetime(2026, 1, 2, tzinfo=UTC)).endswith(">2026-01-02 00:00 UTC</time>")
    assert moment_html(None) == "–"
