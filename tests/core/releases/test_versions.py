"""What a tag or a typed text means as a version, and which comes first."""

import pytest

from errorkb.core.releases.versions import Scheme, read_asked, read_tag, scheme_of


@pytest.mark.parametrize(
    ("tag", "tag_format", "version"),
    [
        ("v0.5.18", "", "0.5.18"),
        ("0.5.18", "v{version}", "0.5.18"),
        ("networkx-3.5", "", "3.5"),
        ("networkx-3.5", "networkx-{version}", "3.5"),
        ("rel_2_0_44", "", "2.0.44"),
        ("rel_2_0_44", "rel_{version}", "2.0.44"),
        ("REL_15_2", "", "15.2"),
        ("release/v1.2rc1", "", "1.2rc1"),
        ("1!2.0", "", "1!2.0"),
        ("v1.0.post1", "", "1.0.post1"),
        ("v1.0.dev3", "", "1.0.dev3"),
        ("2.5.0+cu121", "", "2.5.0+cu121"),
        ("latest", "", None),
        ("nightly-build", "", None),
        ("", "", None),
        ("1" * 500, "", None),
    ],
)
def test_reads_the_version_of_a_tag(tag, tag_format, version):
    read = read_tag(tag, Scheme.PEP440, tag_format)
    assert (read.text if read else None) == version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("0.5.18", "0.5.18"),
        (" v0.5.18 ", "0.5.18"),
        ("sglang==0.5.18", "0.5.18"),
        ("sglang == 0.5.18", "0.5.18"),
        ("SGLang v0.5.18", "0.5.18"),
        ("sglang-0.5.18", "0.5.18"),
        ("version 0.5.18", "0.5.18"),
        ("refs/tags/v0.5.18", "0.5.18"),
        ("sgl_kernel==0.5.18", None),
        ("sglang>=0.5.18", None),
        ("main", None),
        ("0.5.18; rm -rf", None),
        ("v" * 1000, None),
    ],
)
def test_reads_what_somebody_asks_about(text, version):
    read = read_asked(text, Scheme.PEP440, "v{version}", ["sglang"])
    assert (read.text if read else None) == version


def test_a_name_is_the_same_however_it_is_joined():
    assert read_asked("Scikit_Learn==1.7", Scheme.PEP440, "", ["scikit-learn"]).text == "1.7"


@pytest.mark.parametrize(
    ("scheme", "in_order"),
    [
        (Scheme.PEP440, ["1.0.dev1", "1.0a1", "1.0rc1", "1.0", "1.0.post1", "1.0.1", "1.9", "1.10", "1!0.1"]),
        (Scheme.SEMVER, ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11",
                         "1.0.0-rc.1", "1.0.0", "1.0.1", "1.10.0", "2"]),
    ],
)  # fmt: skip
def test_versions_come_in_the_order_of_their_scheme(scheme, in_order):
    read = [read_tag(text, scheme) for text in in_order]
    assert [version.text for version in sorted(read, key=lambda version: version.order)] == in_order
    assert len({version.order for version in read}) == len(in_order)


def test_a_build_has_the_order_of_its_version():
    plain, build = read_tag("2.5.0", Scheme.PEP440), read_tag("2.5.0+cu121", Scheme.PEP440)
    assert plain.order == build.order
    assert build.local == "cu121"
    assert read_tag("1.0.0+5", Scheme.SEMVER).order == read_tag("1.0.0", Scheme.SEMVER).order


@pytest.mark.parametrize(
    ("language", "package", "scheme"),
    [
        ("python", "", Scheme.PEP440),
        ("", "", Scheme.PEP440),
        ("go", "", Scheme.SEMVER),
        ("rust", "pkg:pypi/ruff", Scheme.PEP440),
        ("python", "pkg:npm/x", Scheme.SEMVER),
    ],
)
def test_the_scheme_follows_package_and_language(language, package, scheme):
    assert scheme_of(language, package) is scheme
