# From a fresh clone: `make run` serves the site, `make test` checks it. `make help` lists the rest.
# The work is in tools/; here are its names. Each variable can be set on make's command line or in the environment.

HOST ?= 127.0.0.1
PORT ?= 8000
VENV ?= .venv
SCAN ?= yes
export HOST PORT VENV SCAN COMPLETE

# A Python of 3.11 or later, or the reason why there is none; then the named tool in make's place.
tool = @python=$$(tools/find_python) && exec "$$python" -m

.DEFAULT_GOAL := help
.PHONY: help run test test-long lint format clean

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: ## Serve the site on http://HOST:PORT (127.0.0.1:8000); sets up what is missing
	$(tool) tools.run_site

test: ## Run every check and test that this machine can; COMPLETE=1: fail if one was left out
	$(tool) tools.run_checks test

test-long: ## Run the tests that take minutes; writes the result into bench/README.md
	$(tool) tools.run_checks long

lint: ## Run the checks without the tests
	$(tool) tools.run_checks lint

format: ## Put the code into shape
	$(tool) tools.run_checks format

clean: ## Remove .venv, caches and collected static files; never the base
	rm -rf .venv var/static .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
