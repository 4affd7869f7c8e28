"""Web: what each page shows, made from rows and documents as frozen dataclasses, which templates read."""
