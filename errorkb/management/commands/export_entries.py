"""Management: export entries as NDJSON, or as one file each."""

from errorkb.management.export_command import ExportCommand


class Command(ExportCommand):
    help = "Write entries to standard output as NDJSON, equal to what was loaded."
    example = "python manage.py export_entries > entries.ndjson"
    kind = "entries"
