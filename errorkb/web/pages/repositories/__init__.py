"""Web pages: a repository's page with its plots, and what changed between two releases."""
