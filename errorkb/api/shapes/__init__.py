"""API: the shapes of the answers, as typed models: what answers are made with, and what OpenAPI says of them."""
