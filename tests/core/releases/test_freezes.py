"""Versions in what pip prints and in requirements files."""

import pytest

from errorkb.core.releases.freezes import MAX_LINES, pinned_versions

COMMIT = "0132848349aa0132848349aa0132848349aa0132"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("networkx==3.1", {"networkx": "3.1"}),
        ("Scikit_Learn == 1.7.2", {"scikit-learn": "1.7.2"}),
        ("torch==2.5.0+cu121", {"torch": "2.5.0+cu121"}),
        ("uvicorn[standard]==0.30.0 ; python_version < '3.13'", {"uvicorn": "0.30.0"}),
        ("requests===2.32.5", {"requests": "2.32.5"}),
        ("requests==2.32.5  # pinned for now", {"requests": "2.32.5"}),
        ("requests==2.32.5 --hash=sha256:abc --hash=sha256:def", {"requests": "2.32.5"}),
        ("requests==2.32.5 \\\n    --hash=sha256:abc", {"requests": "2.32.5"}),
        ("click>=8.0", {"click": ""}),
        ("click==8.*", {"click": ""}),
        ("click", {"click": ""}),
        (f"-e git+https://github.com/sgl-project/sglang.git@{COMMIT}#egg=sglang", {"sglang": COMMIT}),
        (f"sglang @ git+https://github.com/sgl-project/sglang@{COMMIT}", {"sglang": COMMIT}),
        ("-e git+ssh://git@github.com/o/n.git@v1.2#egg=n", {"n": "v1.2"}),
        ("x @ file:///tmp/x-1.2.3-py3-none-any.whl", {"x": "1.2.3"}),
        ("x @ file:///home/me/x", {"x": ""}),
        ("networkx           3.1", {"networkx": "3.1"}),
        ("networkx 3.1 /home/me/networkx pip", {"networkx": "3.1"}),
        ("Package    Version", {"package": ""}),
        ("---------- -------", {}),
        ("# a comment", {}),
        ("-r other.txt", {}),
        ("--index-url https://example.org", {}),
        ("", {}),
        ("==1.2", {}),
        ("\x00\ud800", {}),
    ],
)
def test_reads_a_line(line, found):
    read = pinned_versions(line)
    assert {name: version for name, version in read.items() if name != "package"} == {
        name: version for name, version in found.items() if name != "package"
    }


def test_a_version_outweighs_a_bare_name():
    assert pinned_versions("a==1\na\nb\nb==2") == {"a": "1", "b": "2"}


def test_reads_so_many_lines_and_no_more():
    assert len(pinned_versions("\n".join(f"p{n}==1" for n in range(MAX_LINES + 100)))) == MAX_LINES


def test_long_lines_end():
    assert pinned_versions("a" * 3_000_000) == {"a" * 2000: ""}
    assert pinned_versions("-e git+" + "@" * 100_000) == {}
