"""Matching: which entries a pasted text tells of; a use case above ingest and below every interface."""
