"""What a site needs before it is served: migrations, the first documents, static files. Safe to run again at any time.

Runs in the virtual environment, from the project's folder: `.venv/bin/python -m tools.prepare_site`.
"""

import os
import sys
from pathlib import Path

import django
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from tools.processes import ROOT, say

# Entries come last and whole: a base that was left in the middle has no entry yet, and the next start loads it.
FIRST_DOCUMENTS = (
    ("load_repositories", "data/repositories"),
    ("load_pull_requests", "data/pull_requests"),
    ("load_entries", "data/entries", "--atomic"),
)


def main() -> int:
    """Bring the base and the static files up to date, and load data/ into a base without entries."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "errorkb.settings")
    django.setup()
    say("Bringing the database up to date …")
    call_command("migrate", interactive=False, verbosity=0)
    call_command("rebuild_index", "--if-needed")
    if not apps.get_model("errorkb", "ErrorEntry").objects.exists():
        _load_first_documents()
        if os.environ.get("SCAN", "yes") == "yes":
            _scan_own_packages()
    call_command("collectstatic", interactive=False, verbosity=0)
    _tell_of_administrators()
    return 0


def _load_first_documents() -> None:
    say("The base has no entries: loading data/ …")
    for command, folder, *options in FIRST_DOCUMENTS:
        say(f"{folder}:")
        if not _load(command, folder, *options):
            say(f"Not everything in {folder} was loaded: the reason is above. The site starts all the same.")


def _scan_own_packages() -> None:
    """Scan what the site itself is made of, so that a first pasted error of Django has a chance."""
    say("Scanning the packages in requirements.txt for every error that they can throw (SCAN=no leaves it out):")
    for line in Path("requirements.txt").read_text("utf-8").splitlines():
        name, pinned, _ = line.partition("==")
        if pinned:
            _load("scan_source", "--package", name, "--verbosity=0")
    say(f"{apps.get_model('errorkb', 'ErrorEntry').objects.count()} errors are known now.")


def _tell_of_administrators() -> None:
    """Say how the first administrator is made, while there is none."""
    if get_user_model().objects.filter(is_superuser=True, is_active=True).exists():
        return
    python = Path(sys.executable)
    shown = python.relative_to(ROOT) if python.is_relative_to(ROOT) else python
    say(f"There is no administrator yet. From another terminal:  {shown} manage.py createsuperuser")


def _load(command: str, *arguments: str) -> bool:
    """Run a loading command; return whether it loaded everything."""
    try:
        call_command(command, *arguments)
    except SystemExit as end:
        return not end.code
    except CommandError as error:
        say(str(error))
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
