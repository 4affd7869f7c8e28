"""Web views: one module for each family of pages."""
