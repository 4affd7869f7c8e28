"""The shortlist: wordings by their keys, entries by frame and type; bounded however common a key is."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from errorkb.core.match_keys import text_windows
from errorkb.core.skeletons import make_skeleton
from errorkb.core.tracebacks import Frame
from errorkb.matching import candidates
from errorkb.matching.candidates import Candidates, find_candidates
from errorkb.matching.told_entries import load_entries
from errorkb.models import ErrorEntry, Repository, Wording
from tests.builders import entry, site

NOISE = [f"2026-12-01 10:00:{n:02d} INFO worker{n} handled request number {n}" for n in range(10)]


def found(*lines: str, frames=(), types=(), **options) -> Candidates:
    return find_candidates(text_windows(make_skeleton(lines)), frames, types, **options)


def templates(shortlist: Candidates) -> set[str]:
    return {found.template for found in shortlist.templates}


def messages(keys: tuple[int, ...]) -> list[str]:
    rows = ErrorEntry.objects.in_bulk(keys)
    return [rows[key].message for key in keys]


def test_a_message_among_others_finds_its_wording(loader):
    loader.put("a.json", entry("quantization of layer %s failed", placeholders="percent"), entry("no such table %s"))
    shortlist = found(*NOISE, "ValueError: quantization of layer 7 failed")
    assert templates(shortlist) == {"quantization of layer {0} failed"}
    (one,) = shortlist.templates
    skeleton = make_skeleton([*NOISE, "ValueError: quantization of layer 7 failed"])
    assert [skeleton.letters.startswith(one.key, place) for place in one.places] == [True]
    assert [row.entry for row in one.wordings] == [ErrorEntry.objects.get(message__startswith="quant").pk]


def test_wordings_of_one_template_are_told_together(loader):
    loader.put("a.json", *(entry("quantization of layer %s failed", repository=name) for name in ("o/n", "p/q")))
    (one,) = found("quantization of layer 7 failed").templates
    assert {row.entry for row in one.wordings} == set(ErrorEntry.objects.values_list("pk", flat=True))
    assert len(one.wordings) == 2


def test_one_rare_key_is_enough_in_a_small_text(loader):
    loader.put("a.json", entry("Tokenizer vocabulary missing entirely, please reinstall quantization kernels"))
    assert templates(found("Tokenizer vocabulary missing entirely"))
    assert templates(found("... please reinstall quantization kernels"))


def test_two_keys_are_asked_of_a_large_text(loader, monkeypatch):
    monkeypatch.setattr(candidates, "SMALL_TEXT", 5)
    loader.put("a.json", entry("Tokenizer vocabulary missing entirely, please reinstall quantization kernels"))
    assert not templates(found(*NOISE, "Tokenizer vocabulary missing entirely"))
    assert templates(found(*NOISE, "Tokenizer vocabulary missing entirely, please reinstall quantization kernels"))


def test_a_key_that_many_share_is_not_enough_alone(loader):
    layers = [letter * 9 for letter in "abcdefghijkl"]
    loader.put("a.json", *(entry(f"quantization unsupported: layer{one} wants another kernel") for one in layers))
    assert not templates(found("quantization unsupported"))
    assert len(templates(found("quantization unsupported: layeraaaaaaaaa wants another kernel"))) >= 1


def test_a_base_whose_templates_share_one_word_brings_a_bounded_number(loader, monkeypatch):
    monkeypatch.setattr(candidates, "MOST_OF_WEAK_KEY", 3)
    loader.put("a.json", *(entry("exceeded {x}" + "!" * n, placeholders="brace") for n in range(20)))
    assert sum(len(one.wordings) for one in found("exceeded 3").templates) == 3


def test_frames_find_entries_at_their_place(loader):
    loader.put("a.json", entry("", source=site(5, "src/pool/impl.py", "QueuePool._do_get")), entry("other"))
    frame = Frame("/usr/lib/python3/site-packages/pool/impl.py", 148, "_do_get")
    assert found("x", frames=[frame]).by_frame == (ErrorEntry.objects.get(message="").pk,)


def test_types_find_entries_of_many_those_without_text(loader, monkeypatch):
    loader.put("a.json", entry("said here", exception_type="a.OddError"), entry("", exception_type="OddError"))
    assert sorted(messages(found("x", types=["b.OddError"]).by_type)) == ["", "said here"]
    assert found("x", types=["ValueError"]).by_type == ()
    monkeypatch.setattr(candidates, "MOST_OF_TYPE", 1)
    assert messages(found("x", types=["b.OddError"]).by_type) == [""]


def test_only_entries_of_the_repository_that_is_asked_for(loader):
    text = "quantization of layer failed"
    place = {"source": site(5, "p/a.py", "f"), "exception_type": "OddError"}
    loader.put("a.json", entry(text, **place), entry(text, repository="p/q", **place))
    wanted = Repository.objects.get(key="p/q").pk
    shortlist = found(text, frames=[Frame("p/a.py", 5, "f")], types=["OddError"], repository=wanted)
    key = ErrorEntry.objects.get(repository=wanted).pk
    assert [row.entry for one in shortlist.templates for row in one.wordings] == [key]
    assert (shortlist.by_frame, shortlist.by_type) == ((key,), (key,))


def test_entries_that_are_not_public_are_not_loaded(loader):
    loader.put("a.json", entry("one"), entry("two", state="draft"), entry("three", state="withdrawn"))
    loaded = load_entries(list(ErrorEntry.objects.values_list("pk", flat=True)))
    assert [row.message for row in loaded.values()] == ["one"]


def test_three_queries_whatever_is_asked(loader, django_assert_num_queries):
    loader.put("a.json", *(entry(f"quantization of layer number{n} failed") for n in range(30)))
    frames = [Frame(f"p/a{n}.py", 1, "f") for n in range(50)]
    for lines in ([NOISE[0]], [*NOISE, *Wording.objects.values_list("template", flat=True)] * 10):
        with CaptureQueriesContext(connection) as queries:
            found(*lines, frames=frames, types=["OddError"])
        assert len(queries) <= 3
    keys = list(ErrorEntry.objects.values_list("pk", flat=True))
    with django_assert_num_queries(1):
        rows = load_entries(keys)
        assert {row.repository.name for row in rows.values()} == {"o/n"}


@pytest.mark.parametrize("text", ["", "\0", "---", "%s {} ' \" \\", "\ud800", "{" * 1000])
@pytest.mark.django_db
def test_texts_without_words_find_nothing(text):
    assert found(text) == Candidates()


def test_too_many_words_are_said_to_be_cut(loader, monkeypatch):
    monkeypatch.setattr("errorkb.core.match_keys.MOST_WINDOWS", 5)
    assert found(*NOISE).cut == "more different words than are looked up"
