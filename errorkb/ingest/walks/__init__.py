"""Ingest, walks: all the releases of a repository, scanned one beside the other, and stored."""
