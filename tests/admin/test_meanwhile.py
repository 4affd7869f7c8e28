"""Two people change one document: nothing of either is lost without a word."""

from errorkb.models import ErrorEntry, Revision
from tests.admin.browsing import form_of, opened_form
from tests.admin.conftest import address, sample

SEED = sample("error-0a4a184d34e9a38f.json")


def stored() -> dict:
    return ErrorEntry.objects.get().as_document()


def bob_saves(ada, seed, **typed) -> None:
    opened_form(ada, address(seed)).fill(reason="bob's reason", **typed).send()


def test_a_save_on_another_state_than_was_read_is_held_back(ada, seed):
    mine = opened_form(ada, address(seed)).fill(doc__meaning="mine", reason="r")
    bob_saves(ada, seed, doc__meaning="bob's", doc__tags="npu")
    response = mine.send()
    html = response.content.decode()
    assert "Somebody saved another state while you were writing" in html
    notice = html.split('id="meanwhile"')[1].split("</section>")[0]
    assert "bob's" in notice
    assert "<code>tags</code>" in notice
    assert "You changed this too, and would replace it:</strong> <code>meaning</code>." in notice
    kept = form_of(ada, "", response)
    assert (kept.fields["doc-meaning"], kept.fields["reason"]) == ("mine", "r")
    assert stored()["meaning"] == "bob's"


def test_saving_again_puts_the_one_change_onto_the_other(ada, seed):
    mine = opened_form(ada, address(seed)).fill(doc__trigger="mine", doc__solutions__0__text="mine too", reason="r")
    bob_saves(ada, seed, doc__meaning="bob's", doc__source__language="py")
    again = form_of(ada, address(seed), mine.send())
    again.send()
    assert stored() == SEED | {
        "meaning": "bob's",
        "trigger": "mine",
        "solutions": ["mine too", *SEED["solutions"][1:]],
        "source": SEED["source"] | {"language": "py"},
    }
    assert Revision.objects.count() == 3


def test_a_third_save_in_between_is_shown_too(ada, seed):
    mine = opened_form(ada, address(seed)).fill(doc__trigger="mine", reason="r")
    bob_saves(ada, seed, doc__meaning="bob's")
    again = form_of(ada, address(seed), mine.send())
    bob_saves(ada, seed, doc__meaning="bob's second")
    response = again.send()
    assert "bob's second" in response.content.decode().split('id="meanwhile"')[1].split("</section>")[0]
    form_of(ada, address(seed), response).send()
    assert (stored()["meaning"], stored()["trigger"]) == ("bob's second", "mine")


def test_the_same_change_by_both_is_no_change(ada, seed):
    mine = opened_form(ada, address(seed)).fill(doc__trigger="same", reason="r")
    bob_saves(ada, seed, doc__trigger="same")
    form_of(ada, address(seed), mine.send()).send()
    assert stored() == SEED | {"trigger": "same"}
    assert Revision.objects.count() == 2


def test_a_state_that_is_kept_no_more_is_said_to_be_so(ada, seed):
    mine = opened_form(ada, address(seed)).fill(doc__trigger="mine", reason="r")
    bob_saves(ada, seed, doc__meaning="bob's")
    Revision.objects.all().delete()
    response = mine.send()
    assert "Too much was saved meanwhile" in response.content.decode()
    assert form_of(ada, "", response).fields["doc-trigger"] == "mine"
    assert stored()["trigger"] == SEED["trigger"]
