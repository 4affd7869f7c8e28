"""Serving: what every door says of an entry beside its document: the page, the JSON, the export, match."""
