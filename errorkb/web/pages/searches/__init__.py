"""Web pages: the page of a search, part by part."""
