"""What the Makefile runs: set-up, serving, checking. Standard library only, apart from prepare_site."""
