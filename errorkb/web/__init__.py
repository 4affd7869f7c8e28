"""Web: the pages that people read."""
