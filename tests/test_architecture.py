"""The house's own rules: floors, migrations, and the size of files and functions."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("errorkb", "tools", "tests", "bench")
MOST_LINES_IN_A_FILE = 499
MOST_LINES_IN_A_FUNCTION = 60


def modules() -> list[Path]:
    found = [*ROOT.glob("*.py"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    return [path for path in found if "samples" not in path.parts and "migrations" not in path.parts]


def front() -> list[Path]:
    found = [path for folder in ("templates", "static") for path in (ROOT / folder).rglob("*")]
    return [path for path in found if path.suffix in {".html", ".css", ".js"}]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def lines_of(node: ast.stmt | ast.expr) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def is_table(node: ast.AST) -> bool:
    """Return whether a node is a list, tuple, set or mapping written out in full."""
    try:
        ast.literal_eval(node)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        return False
    return isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict)


def lines_of_tables(node: ast.AST) -> int:
    """Return how many lines of a function are literal tables, beyond the first line of each."""
    return sum(
        lines_of(child) - 1 if is_table(child) else lines_of_tables(child) for child in ast.iter_child_nodes(node)
    )


def test_imports_point_down() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS


@pytest.mark.django_db
def test_models_have_their_migrations() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)


def test_files_stay_short() -> None:
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in [*modules(), *front()]}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES_IN_A_FILE} == {}


def test_functions_stay_short() -> None:
    lengths = {
        f"{name_of(path)}:{node.lineno} {node.name}": lines_of(node) - lines_of_tables(node)
        for path in modules()
        for node in functions(ast.parse(path.read_text("utf-8")))
    }
    assert {name: length for name, length in lengths.items() if length > MOST_LINES_IN_A_FUNCTION} == {}


def test_modules_open_with_their_place_in_the_house() -> None:
    texts = {name_of(path): path.read_text("utf-8") for path in modules() if not path.name.startswith("test_")}
    silent = [name for name, text in texts.items() if text.strip() and not ast.get_docstring(ast.parse(text))]
    assert silent == []
