import pytest

from errorkb.ingest.sources import SourceError, open_source
from tests.ingest.sources.trees import DJANGO, OPTIONS, PINNED


@pytest.mark.parametrize("spec", ["", "no/such/folder", "nul\0", "x" * 5_000, __file__])
def test_refuses_what_is_no_folder_in_a_sentence(spec):
    with pytest.raises(SourceError, match=r"Give `installed`, `none`, or the path of a checkout"):
        open_source(spec)


def test_refuses_a_checkout_that_git_cannot_read(tmp_path):
    (tmp_path / ".git").mkdir()
    with pytest.raises(SourceError, match="git cannot read"):
        open_source(str(tmp_path))


def test_none_has_no_files():
    assert open_source("none").read(DJANGO, OPTIONS, commit=None, release=PINNED) is None
