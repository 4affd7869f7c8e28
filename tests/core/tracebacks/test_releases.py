"""Tests of which releases of which packages a paste names."""

import pytest

from errorkb.core.tracebacks import read_paste

NAMED = [
    ("sglang==0.5.18", [("sglang", "0.5.18")]),
    ("numpy==1.26.4\ntorch==2.8.0+cu128\n", [("numpy", "1.26.4"), ("torch", "2.8.0+cu128")]),
    ("/opt/venv/lib/python3.11/site-packages/shop-1.2.3.dist-info/METADATA", [("shop", "1.2.3")]),
    ("/usr/lib/python2.7/site-packages/shop-1.2-py2.7.egg/shop/a.py", [("shop", "1.2")]),
    ("Using sglang 0.5.18 on two nodes", [("sglang", "0.5.18")]),
    ("Django Version: 5.2.8", [("Django", "5.2.8")]),
    ("vLLM version 0.11.2", [("vLLM", "0.11.2")]),
    ("we run sglang v0.5.18.", [("sglang", "0.5.18")]),
    ("- `transformers` version: 4.57.1", [("transformers", "4.57.1")]),
    ("sglang: 0.5.18", [("sglang", "0.5.18")]),
]

UNNAMED = [
    "",
    "Python version 3.11",
    "CUDA version: 12.8",
    "it took 0.5.18 seconds",
    "see section 2.3.4",
    "HTTP/1.1 500",
]


@pytest.mark.parametrize(("text", "releases"), NAMED, ids=[text for text, _ in NAMED])
def test_reads_the_release_from(text: str, releases: list[tuple[str, str]]) -> None:
    assert list(read_paste(text).releases) == releases


@pytest.mark.parametrize("text", UNNAMED)
def test_reads_no_release_from(text: str) -> None:
    assert read_paste(text).releases == ()
