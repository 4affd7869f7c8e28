from django.db import migrations, models

# Nothing asks for a whole type, code or language in its own letter case. By hand: on SQLite, Django would write the
# whole table anew to drop an index of a column.
_DROPPED = {
    "exception_type": "errorkb_errorentry_exception_type_557e5074",
    "code": "errorkb_errorentry_code_f3ffca30",
    "language": "errorkb_errorentry_language_62b6010b",
    "newest_id": "errorkb_errorentry_newest_id_ab7c5347",
}
_LIKE = """
SELECT quote_ident(indexname) FROM pg_indexes
WHERE schemaname = current_schema() AND tablename LIKE 'errorkb\\_%' AND indexname LIKE '%\\_like'
"""


def drop_indexes_for_like(apps, editor) -> None:
    """Drop what Django adds on PostgreSQL for LIKE: in a base of locale C, the index of the column does the same."""
    if editor.connection.vendor == "postgresql":
        with editor.connection.cursor() as cursor:
            cursor.execute(_LIKE)
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [
        ("errorkb", "0015_ends_of_words"),
    ]

    operations = [
        migrations.RunPython(drop_indexes_for_like, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX IF EXISTS {name}", f"CREATE INDEX {name} ON errorkb_errorentry ({column})"
                )
                for column, name in _DROPPED.items()
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="errorentry",
                    name="exception_type",
                    field=models.CharField(editable=False, max_length=300),
                ),
                migrations.AlterField(
                    model_name="errorentry",
                    name="code",
                    field=models.CharField(editable=False, max_length=300),
                ),
                migrations.AlterField(
                    model_name="errorentry",
                    name="language",
                    field=models.CharField(editable=False, help_text="of the source", max_length=300),
                ),
                migrations.AlterField(
                    model_name="errorentry",
                    name="newest",
                    field=models.ForeignKey(
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=models.deletion.SET_NULL,
                        related_name="+",
                        to="errorkb.sighting",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="errorentry",
            index=models.Index(condition=models.Q(("newest__isnull", False)), fields=["newest"], name="entry_newest"),
        ),
    ]
