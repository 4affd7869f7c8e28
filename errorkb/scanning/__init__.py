"""Scanning: from source and git to documents; no Django, no network."""
