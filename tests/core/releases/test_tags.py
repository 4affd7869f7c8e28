import pytest

from errorkb.core.releases.tags import version_in_tag, version_of_tag


@pytest.mark.parametrize(
    ("tag", "tag_format", "version"),
    [
        ("v0.5.6", "v{version}", "0.5.6"),
        ("release-2.1", "release-{version}", "2.1"),
        ("2.1-final", "{version}-final", "2.1"),
        ("5.2.19", "", "5.2.19"),
        ("v5.2.19", "", "5.2.19"),
        ("vega", "", "vega"),
        # a tag that does not follow the format
        ("5.2.19", "v{version}", "5.2.19"),
        ("v", "v{version}", "v"),
        # the head and the tail must not overlap
        ("aa", "aa{version}aa", "aa"),
        ("v1", "{other}", "1"),
        ("", "v{version}", ""),
    ],
)
def test_reads_the_version_that_a_tag_means(tag, tag_format, version):
    assert version_of_tag(tag, tag_format) == version


@pytest.mark.parametrize(
    ("tag", "tag_format", "version"),
    [
        ("v0.5.6", "", "0.5.6"),
        ("5.2", "", "5.2"),
        ("v1.0.0-rc.1", "", "1.0.0-rc.1"),
        ("sgl-v0.5.6", "sgl-v{version}", "0.5.6"),
        ("networkx-3.1", "", "3.1"),
        ("rel_2_0_30", "", "2.0.30"),
        ("rel_1_4_0b1", "", "1.4.0b1"),
        ("release/v1.2", "", "1.2"),
        ("@scope/name@1.2.3", "", "1.2.3"),
        ("nightly", "", ""),
        ("build-17", "", ""),
        ("nightly-2026-01-05", "", ""),
        ("v1.0-foo", "", ""),
        ("", "", ""),
        ("1." * 5000, "", ""),
        ("_" * 90 + "1.0", "", "1.0"),
    ],
)
def test_reads_the_version_of_a_tag(tag, tag_format, version):
    assert version_in_tag(tag, tag_format) == version
