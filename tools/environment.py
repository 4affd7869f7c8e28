"""The virtual environment: made once, filled from the pinned requirements, mended when it is broken."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.processes import ROOT, SetupError, run, say

VENV = ROOT / (os.environ.get("VENV") or ".venv")
PYTHON = VENV / "bin" / "python"

# What is installed, as sha256sum writes it; or UNFINISHED from the first step of an installation to its last.
STAMP = VENV / "errorkb-requirements.sha256"
UNFINISHED = "unfinished"

# Each file of requirements, and the files that it is made of.
PARTS = {
    "requirements.txt": ("requirements.txt",),
    "requirements-dev.txt": ("requirements.txt", "requirements-dev.txt"),
}
WORKS = "import sys, pip; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)"


def ensure(requirements: str) -> Path:
    """Return the Python of a virtual environment that holds the named requirements file, made or mended if need be.

    Raises SetupError where the environment cannot be made or filled.
    """
    with (ROOT / "requirements.txt").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # `make run` and `make test` may start together
        _make_environment()
        if not _wanted(requirements) <= _installed():
            _install(requirements)
    return PYTHON


def _wanted(requirements: str) -> set[str]:
    return {f"{hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}  {name}" for name in PARTS[requirements]}


def _installed() -> set[str]:
    return set(STAMP.read_text("utf-8").splitlines()) if STAMP.exists() else set()


def _works() -> bool:
    """Return whether the environment is whole: its Python starts, is new enough, and has a pip of its own version."""
    if UNFINISHED in _installed():
        return False
    try:
        return subprocess.run([PYTHON, "-c", WORKS], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _make_environment() -> None:
    if _works():
        return
    if VENV.exists():
        _remove_broken()
    say(f"Making {_shown(VENV)} with Python {sys.version.split()[0]} …")
    VENV.mkdir(parents=True)
    STAMP.write_text(UNFINISHED, "utf-8")
    # A Python that itself runs in a virtual environment names the one it was made from.
    maker = getattr(sys, "_base_executable", sys.executable)
    _quietly([maker, "-m", "venv", str(VENV)], f"Python could not make a virtual environment in {VENV}.")


def _remove_broken() -> None:
    if any(VENV.iterdir()) and not (VENV / "pyvenv.cfg").exists() and not STAMP.exists():
        raise SetupError(f"{VENV} is not a virtual environment. Move it away, or name another folder: make run VENV=…")
    say(f"{_shown(VENV)} is unfinished or its Python is gone: making it anew.")
    shutil.rmtree(VENV)


def _install(requirements: str) -> None:
    say(f"Installing {requirements} into {_shown(VENV)} (up to a minute; again only when it changes) …")
    before = _installed() - {UNFINISHED}
    STAMP.write_text(UNFINISHED, "utf-8")
    pip = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-r", requirements]
    try:
        _quietly(
            pip,
            f"pip could not install {requirements}. If it could not reach the package index: check the network, or\n"
            "name a mirror with PIP_INDEX_URL=https://…/simple; then run make again, it goes on from here.",
        )
    except SetupError:
        _write_stamp(before)  # pip undoes what it could not finish
        raise
    _write_stamp(before | _wanted(requirements))


def _write_stamp(lines: set[str]) -> None:
    STAMP.write_text("".join(f"{line}\n" for line in sorted(lines)), "utf-8")


def _quietly(command: list[str], otherwise: str) -> None:
    """Run a command without showing what it says, unless it fails."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as words:
        if run(command, output=words) == 0:
            return
        words.seek(0)
        tail = "\n".join(words.read().splitlines()[-15:])
    raise SetupError(f"{tail}\n\n{otherwise}")


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
