"""Web pages: the page of a pasted text, part by part."""
