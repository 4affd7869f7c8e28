"""Web pages: a pull request's page with its report, and the list of pull requests."""
