"""Core, releases: versions, their order and ancestry, and what an error was in each of them."""
