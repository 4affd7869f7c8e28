"""Changing documents in the admin, as a person with a browser does it."""

import json
from pathlib import Path

import pytest

from errorkb.ingest.integrity import find_strays
from errorkb.models import Batch, ErrorEntry, PullRequest, Repository, Revision
from tests.admin.browsing import form_of, opened_form
from tests.admin.conftest import SAMPLES, address, sample
from tests.builders import entry, site

DATA = Path(__file__).parent.parent.parent / "data"
SHIPPED = [
    *((path, "entries", ErrorEntry) for path in sorted((DATA / "entries").glob("*.json"))),
    *((path, "pull_requests", PullRequest) for path in sorted((DATA / "pull_requests").glob("*.json"))),
    *((path, "repositories", Repository) for path in sorted((DATA / "repositories").glob("*.json"))),
    (SAMPLES / "error-0a4a184d34e9a38f.json", "entries", ErrorEntry),
    (SAMPLES / "pull-request-33523.json", "pull_requests", PullRequest),
]


def stored(model=ErrorEntry) -> dict:
    return model.objects.get().as_document()


@pytest.mark.once
@pytest.mark.parametrize(("path", "kind", "model"), SHIPPED, ids=[path.name for path, _, _ in SHIPPED])
def test_saving_an_untouched_document_changes_nothing(ada, loader, path, kind, model):
    loader.put(path.name, json.loads(path.read_text()), kind=kind)
    row = model.objects.exclude(document="").get()
    response = opened_form(ada, address(row)).fill(reason="only looking").send()
    assert "Nothing was changed, so nothing was saved." in ada.get(response.url).content.decode()
    after = model.objects.get(pk=row.pk)
    assert (after.document, after.modified_at) == (row.document, row.modified_at)
    assert not Revision.objects.exists()
    assert not Batch.objects.filter(writer="person:ada").exists()


def test_a_changed_meaning_is_saved_and_the_file_no_longer_changes_it(ada, loader, seed):
    opened_form(ada, address(seed)).fill(doc__meaning="Said better.", reason="clearer").send()
    assert stored() == sample("error-0a4a184d34e9a38f.json") | {"meaning": "Said better."}
    (outcome,) = loader.load(loader.file("seed.json", [sample("error-0a4a184d34e9a38f.json")]))
    assert [(conflict.field, conflict.owner) for conflict in outcome.conflicts] == [("meaning", "person:ada")]
    assert stored()["meaning"] == "Said better."
    assert list(find_strays()) == []


def test_what_was_not_touched_stays_verbatim(ada, loader):
    document = entry(
        source=site() | {"later": {"kept": None}},
        schema_version="1.9",
        meaning="two\r\nlines",
        trigger=None,
        tags=[],
        solutions=["one\rbreak", {"text": "two", "evidence": None, "later": 1}],
        later=[1, 2],
    )
    loader.put("a.json", document)
    opened_form(ada, address(ErrorEntry.objects.get())).fill(doc__code="E1", reason="r").send()
    assert json.dumps(stored()) == json.dumps(document | {"code": "E1"})


def test_a_solution_in_one_text_stays_one_when_it_is_edited(ada, seed):
    first, *others = stored()["solutions"]
    opened_form(ada, address(seed)).fill(doc__solutions__1__text="Wait for it", reason="shorter").send()
    assert stored()["solutions"] == [first, "Wait for it", others[1]]


def test_a_solution_in_one_text_becomes_an_object_when_more_is_said_of_it(ada, seed):
    text = stored()["solutions"][0]
    filled = opened_form(ada, address(seed)).fill(reason="said what it takes")
    filled.fill(doc__solutions__0__kind="configure", doc__solutions__0__evidence__0__url="https://example.org/")
    filled.send()
    assert stored()["solutions"][0] == {
        "text": text,
        "kind": "configure",
        "evidence": [{"url": "https://example.org/"}],
    }


@pytest.mark.parametrize(
    ("typed", "saved"),
    [
        ({"named": "before 0.5"}, "before 0.5"),
        ({"named": "0.4\r\n0.5"}, ["0.4", "0.5"]),
        ({"first": "0.4", "removed": "0.6"}, {"first": "0.4", "removed": "0.6"}),
    ],
)
def test_releases_of_a_solution_are_words_names_or_a_range(ada, seed, typed, saved):
    boxes = {f"doc__solutions__0__releases__{name}": value for name, value in typed.items()}
    opened_form(ada, address(seed)).fill(reason="r", **boxes).send()
    assert stored()["solutions"][0]["releases"] == saved


def test_rows_are_added_removed_and_moved_without_scripts(ada, seed):
    one, _, three = stored()["solutions"]
    filled = opened_form(ada, address(seed)).fill(reason="in another order")
    filled.fill(doc__solutions__0__ORDER="5", doc__solutions__3__text="four").tick("doc-solutions-1-DELETE").send()
    assert stored()["solutions"] == [three, one, "four"]


def test_a_list_without_rows_left_is_gone(ada, seed):
    filled = opened_form(ada, address(seed)).fill(reason="r")
    filled.tick(*(f"doc-examples-{number}-DELETE" for number in range(3))).send()
    assert "examples" not in stored()


def test_preview_adds_blank_rows_and_shows_markdown_without_saving(ada, seed):
    filled = opened_form(ada, address(seed)).fill(doc__solutions__3__text="four *words*", doc__meaning="# <b>x</b>")
    response = filled.send("_preview")
    html = response.content.decode()
    assert "<em>words</em>" in html
    assert "<h3>&lt;b&gt;x&lt;/b&gt;</h3>" in html
    assert "Say why you change this" not in html
    assert not Revision.objects.exists()
    again = form_of(ada, address(seed), response).fill(doc__solutions__4__text="five", reason="more")
    again.send()
    assert stored()["solutions"][3:] == ["four *words*", "five"]


def test_every_section_of_a_report_can_be_changed(ada, report):
    filled = opened_form(ada, address(report)).fill(reason="r")
    filled.fill(
        doc__report__implementation__4__text="Step five",
        doc__report__key_files__0__symbols="a\r\nb",
        doc__report__snippets__0__language="py",
        doc__report__discussion__topics__0__title="Topic",
        doc__report__sections__0__heading="More",
        doc__report__sections__0__body="Text",
        doc__report__risk_flags="one\r\ntwo",
        doc__related__0__title="It has one",
        doc__fixes__0__exception_type="TypeError",
        doc__labels="npu",
        doc__introduced_by__number="31901",
    ).send()
    document = stored(PullRequest)
    expected = sample("pull-request-33523.json")
    expected["report"]["implementation"].append("Step five")
    expected["report"]["key_files"][0]["symbols"] = ["a", "b"]
    expected["report"]["snippets"][0]["language"] = "py"
    expected["report"]["discussion"]["topics"][0]["title"] = "Topic"
    expected["report"]["sections"] = [{"heading": "More", "body": "Text"}]
    expected["report"]["risk_flags"] = ["one", "two"]
    expected["related"][0]["title"] = "It has one"
    expected |= {
        "fixes": [{"exception_type": "TypeError"}],
        "labels": ["npu"],
        "introduced_by": {"number": 31901},
    }
    assert document == expected


def test_a_repository_that_was_only_named_gets_a_document(ada, seed):
    row = Repository.objects.get()
    filled = opened_form(ada, address(row)).fill(doc__default_branch="main", reason="described")
    filled.fill(doc__releases__0__tag="v0.5.18", doc__releases__0__version="0.5.18").send()
    assert stored(Repository) == {
        "schema_version": "1.0",
        "name": "sgl-project/sglang",
        "default_branch": "main",
        "releases": [{"tag": "v0.5.18", "version": "0.5.18"}],
    }


def test_a_reason_is_required(ada, seed):
    response = opened_form(ada, address(seed)).fill(doc__meaning="x").send()
    html = response.content.decode()
    assert '<li><a href="#id_reason">Reason</a>: Say why you change this' in html
    assert form_of(ada, "", response).fields["doc-meaning"] == "x"
    assert not Revision.objects.exists()


@pytest.mark.parametrize(
    ("typed", "box", "text"),
    [
        ({"doc__source__line": "0"}, "doc-source-line", "greater than or equal to 1"),
        ({"doc__source__line": "many"}, "doc-source-line", "whole number"),
        ({"doc__source__commit": "zz"}, "doc-source-commit", "7 to 40 hex digits"),
        ({"doc__solutions__1__text": "", "doc__solutions__1__code": "x"}, "doc-solutions-1-text", "required"),
        ({"doc__examples__3__caption": "only"}, "doc-examples-3-code", "required"),
        ({"doc__template": "{"}, "doc-template", "expected"),
        ({"doc__wordings__0__template": "}"}, "doc-wordings-0-template", "expected"),
        ({"doc__aliases": "xyz"}, "doc-aliases", "16 hex digits"),
        ({"doc__analysis__date": "yesterday"}, "doc-analysis-date", "ISO 8601"),
        ({"doc__repository": "nameless"}, "doc-repository", "match"),
    ],
)
def test_problems_stand_at_their_field(ada, seed, typed, box, text):
    response = opened_form(ada, address(seed)).fill(reason="r", **typed).send()
    html = response.content.decode()
    assert f'<a href="#id_{box}">' in html, "the notice leads to it"
    errors = html.split(f'id="id_{box}_error"', 1)
    assert len(errors) == 2, "no error at this field"
    assert text in errors[1].split("</ul>", 1)[0]
    assert not Revision.objects.exists()


def test_problems_of_an_object_stand_at_the_object(ada, seed):
    response = opened_form(ada, address(seed)).fill(reason="r", doc__source__end_line="5").send()
    html = response.content.decode()
    assert '<li><a href="#doc-source">Source</a>: expected end_line at or after line 136' in html
    group = html.split('id="doc-source"')[1]
    assert "expected end_line at or after line 136" in group.split('class="members"')[0]


def test_the_notice_names_everything_that_is_wrong_and_takes_the_focus(ada, seed):
    filled = opened_form(ada, address(seed)).fill(doc__source__line="0", doc__solutions__1__text="", reason="r")
    html = filled.fill(doc__solutions__1__code="x").send().content.decode()
    notice = html.split('<div class="notice wrong" id="faults" role="alert" tabindex="-1" autofocus>')[1].split(
        "</div>"
    )[0]
    assert [line for line in notice.splitlines() if "<a " in line] == [
        '<li><a href="#id_doc-solutions-1-text">Solutions 2 text</a>: this field is required</li>',
        '<li><a href="#id_doc-source-line">Source line</a>: expected greater than or equal to 1, found 0</li>',
    ]


def test_rows_are_added_and_called_in_words(ada, seed, report):
    html = ada.get(address(seed)).content.decode()
    assert "<summary>Add an example</summary>" in html
    assert "<summary>Add a solution</summary>" in html
    assert "<summary>Add a related error</summary>" in html
    assert '<span class="row-name">Pull request 1</span>' in ada.get(address(report)).content.decode()


def test_words_and_range_of_releases_are_not_given_both(ada, seed):
    filled = opened_form(ada, address(seed)).fill(reason="r", doc__solutions__0__releases__named="all")
    html = filled.fill(doc__solutions__0__releases__first="0.4").send().content.decode()
    assert "not both" in html.split('id="id_doc-solutions-0-releases-named_error"')[1]


def test_a_withdrawn_entry_says_when_and_why(ada, seed):
    opened_form(ada, address(seed)).fill(doc__state="withdrawn", reason="no such error").send()
    assert stored()["withdrawn"]["reason"] == "no such error"
    assert ErrorEntry.objects.get().state == "withdrawn"


def test_a_person_makes_an_entry_once(ada, seed):
    def send():
        filled = opened_form(ada, "/admin/errorkb/errorentry/add/").fill(reason="met it")
        return filled.fill(doc__repository="o/n", doc__message="new %s", doc__placeholders="percent").send()

    response = send()
    made = ErrorEntry.objects.exclude(pk=seed.pk).get()
    assert response.url == address(made)
    assert made.as_document() == {
        "schema_version": "1.0",
        "repository": "o/n",
        "message": "new %s",
        "placeholders": "percent",
    }
    assert made.created_by == "person:ada"
    assert f"this site has an entry already: {made.public_id}" in send().content.decode()


@pytest.mark.parametrize("model", ["pullrequest", "repository", "revision", "batch"])
def test_other_rows_are_not_made_by_hand(ada, model):
    assert ada.get(f"/admin/errorkb/{model}/add/").status_code == 403


@pytest.mark.parametrize("model", ["errorentry", "pullrequest", "repository"])
def test_nothing_is_deleted(ada, seed, report, model):
    row = {"errorentry": seed, "pullrequest": report, "repository": seed.repository}[model]
    assert ada.post(address(row, "delete"), {"post": "yes"}).status_code == 403


def test_checks_are_shown(ada, seed):
    ErrorEntry.objects.update(filled={"disagreements": ["line 136 has <other> text"]})
    html = ada.get(address(seed)).content.decode()
    assert "line 136 has &lt;other&gt; text" in html.split('id="checks"')[1]


def test_names_that_the_source_lacks_are_shown_among_the_checks(ada, seed):
    ErrorEntry.objects.update(checked={"release": "v0.5.23", "missing": ["_ascend_backend"]})
    html = ada.get(address(seed)).content.decode()
    assert "`_ascend_backend` does not occur in v0.5.23" in html.split('id="checks"')[1].split("</section>")[0]
