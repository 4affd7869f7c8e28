"""Management: export pull requests and their reports as NDJSON, or as one file each."""

from errorkb.management.export_command import ExportCommand


class Command(ExportCommand):
    help = "Write pull requests and their reports to standard output as NDJSON, equal to what was loaded."
    example = "python manage.py export_pull_requests > pull_requests.ndjson"
    kind = "pull_requests"
