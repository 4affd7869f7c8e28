"""Ingest, scans: what one scan saw, read, compared with what is known, and stored."""
