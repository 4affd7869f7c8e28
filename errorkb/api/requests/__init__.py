"""API: what requests bring: parameters, bodies, cursors and conditions, and what is wrong with them."""
