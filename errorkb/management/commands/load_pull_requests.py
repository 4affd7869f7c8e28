"""Management: load pull requests from JSON, NDJSON, Markdown reports, folders, gzip or standard input."""

from errorkb.management.load_command import LoadCommand


class Command(LoadCommand):
    help = "Load pull requests and their reports. Exit status 1 if a document was refused or in conflict."
    example = "python manage.py load_pull_requests data/pull_requests"
    kind = "pull_requests"
