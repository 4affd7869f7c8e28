"""Ingest, links: between pull requests and entries: what reports quote and name, and what people say of it."""
