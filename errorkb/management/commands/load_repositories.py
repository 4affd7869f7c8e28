"""Management: load repositories from JSON, NDJSON, folders, gzip or standard input."""

from errorkb.management.load_command import LoadCommand


class Command(LoadCommand):
    help = "Load repositories. Exit status 1 if a document was refused or in conflict."
    example = "python manage.py load_repositories data/repositories"
    kind = "repositories"
