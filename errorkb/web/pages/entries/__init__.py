"""Web pages: an entry's page, part by part."""
