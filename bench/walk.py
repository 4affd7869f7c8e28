"""Bench: walking ten releases of a package against scanning one of them, both from git into an empty base.

    .venv/bin/python -m bench.walk django 5.2 5.2.1 … 5.2.9 --rounds 3

The wheels (`pip download`) are committed one after another into a temporary repository and tagged. One scan is
`scan_source` of the checkout, which stands at the last of them; a walk is `scan_source --releases '*'` of the same.
Each is a program of its own with an empty base and no cache of facts, turn by turn. Seconds are those of the processor,
user and system of all processes together: what else the machine does disturbs them less.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from operator import truediv
from pathlib import Path

from django.core.management import execute_from_command_line

from bench.scan import processor_seconds, spread

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = "bench/bench"


def build_history(package: str, versions: Sequence[str], folder: Path) -> Path:
    """Return a repository with a commit and a tag for each version's wheel."""
    history = folder / "history"
    git(history.parent, "init", "--quiet", str(history))
    for version in versions:
        wheel = download(package, version, folder / f"wheel-{version}")
        git(history, "rm", "-r", "--quiet", "--ignore-unmatch", ".")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(history, [name for name in archive.namelist() if ".dist-info/" not in name])
        git(history, "add", "--all", "--force")
        git(history, "commit", "--quiet", "--allow-empty", "--message", version)
        git(history, "tag", version)
    return history


def download(package: str, version: str, folder: Path) -> Path:
    command = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:")
    subprocess.run((*command, "--dest", str(folder), f"{package}=={version}"), check=True)
    return next(folder.glob("*.whl"))


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(("git", "-C", str(folder), *identity, *arguments), check=True, env=environment)


def seconds_of(*arguments: str) -> float:
    """Return what a scan with these arguments uses of the processor, in a base of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/base.sqlite3"}
        program = [sys.executable, str(ROOT / "manage.py"), "migrate", "-v0"]
        subprocess.run(program, check=True, env=environment)
        program = [sys.executable, "-m", "bench.walk", "--measured", *arguments]
        done = subprocess.run(program, check=True, env=environment, cwd=ROOT, capture_output=True, text=True)
    return float(done.stdout.strip().splitlines()[-1])


def run_measured(arguments: Sequence[str]) -> int:
    """Run `scan_source` here, and tell what all processes have used."""

    before = processor_seconds()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "errorkb.settings")
    try:
        execute_from_command_line(["manage.py", "scan_source", *arguments])
    except SystemExit as ended:
        if ended.code:
            return 1
    print(processor_seconds() - before)
    return 0


def main() -> int:
    if sys.argv[1:2] == ["--measured"]:
        return run_measured(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("versions", nargs="+", metavar="VERSION", help="oldest first")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--commits", action="store_true", help="ask git, too, who made the changes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        history = build_history(options.package, options.versions, Path(folder))
        same = (str(history), "--repository", REPOSITORY, "--workers", "1", "--verbosity", "0")
        same = (*same, *(() if options.commits else ("--no-commits",)))
        scans, walks = [], []
        for _ in range(options.rounds):
            scans.append(seconds_of(*same))
            walks.append(seconds_of(*same, "--releases", "*"))
    print(f"{options.package}, {len(options.versions)} releases, load average {os.getloadavg()[0]:.1f}")
    print(f"  one scan: {spread(scans, '.1f')} s, the walk: {spread(walks, '.1f')} s")
    print(f"  ratio: {spread(map(truediv, walks, scans))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
