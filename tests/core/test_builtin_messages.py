"""What Python and compiled libraries say of anybody's code, told apart from what a library says."""

import pytest

from errorkb.core.builtin_messages import is_builtin_type, is_of_standard_library, is_said_by_python
from errorkb.core.template_literals import shape_of


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("'{0}' object has no attribute '{1}'", True),
        ("{name} object has no attribute {attr}", True),
        ("'{0}' returned non-zero exit status {1}.", True),
        ("index {key} is out of bounds for axis 0 with size {n}", True),
        ("{0} is not a valid {1}", True),
        ("Model class {0} doesn't declare an explicit app_label", False),
        ("index {0} is out of bounds of the page", False),
    ],
)
def test_knows_what_anybodys_code_can_cause(template: str, said: bool) -> None:
    assert is_said_by_python("".join(shape_of(template).letters)) is said


@pytest.mark.parametrize(
    ("name", "builtin", "standard"),
    [
        ("ValueError", True, False),
        ("builtins.ValueError", True, True),
        ("subprocess.CalledProcessError", True, True),
        ("json.decoder.JSONDecodeError", True, True),
        ("django.db.utils.OperationalError", False, False),
        ("ImproperlyConfigured", False, False),
    ],
)
def test_knows_pythons_own_types(name: str, builtin: bool, standard: bool) -> None:
    assert (is_builtin_type(name), is_of_standard_library(name)) == (builtin, standard)
