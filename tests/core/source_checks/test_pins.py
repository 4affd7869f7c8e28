import pytest

from errorkb.core.source_checks import package_name, same_version


@pytest.mark.parametrize(
    ("wanted", "found", "same"),
    [
        ("5.2", "5.2.0", True),
        ("5.2", "5.2.1", False),
        ("1.0rc1", "1.0.rc1", True),
        ("2.1.0", "2.1.0+cu118", True),
        ("2.1.0+cpu", "2.1.0+cu118", False),
        ("nightly", "nightly", True),
        ("nightly", "1.0", False),
        ("", "1.0", False),
    ],
)
def test_compares_versions_as_python_does(wanted, found, same):
    assert same_version(wanted, found) is same


@pytest.mark.parametrize(
    ("purl", "name"),
    [
        ("pkg:pypi/django", "django"),
        ("pkg:pypi/django@5.2.19?extension=whl", "django"),
        ("pkg:pypi/ruamel.yaml", "ruamel.yaml"),
        ("pkg:npm/django", ""),
        ("pkg:pypi/../etc", ""),
        ("django", ""),
        ("", ""),
    ],
)
def test_reads_the_python_package_of_a_package_url(purl, name):
    assert package_name(purl) == name
