"""errorkb: the page of the very error that somebody has in hand."""
