"""What filters compare without regard to case, PostgreSQL knows nothing of unless it is told to count it.

It would guess that one row in two hundred is in Python, and read all entries to find them.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COLUMNS = ("exception_type", "code", "language")


def count(apps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        for column in COLUMNS:
            of = f"(upper({column}::text)) FROM errorkb_errorentry"
            editor.execute(f"CREATE STATISTICS IF NOT EXISTS errorkb_{column}_folded ON {of}")


def forget(apps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        for column in COLUMNS:
            editor.execute(f"DROP STATISTICS IF EXISTS errorkb_{column}_folded")


class Migration(migrations.Migration):
    dependencies = [("errorkb", "0003_wording_keys_together")]

    operations = [migrations.RunPython(count, forget)]
