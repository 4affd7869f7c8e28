"""API: every error as JSON over HTTP, below /api/, for tools; docs/api.md describes it."""
