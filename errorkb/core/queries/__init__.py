"""Core: the query language of the search box: reading a query, and writing it with a filter more or less."""

from errorkb.core.queries.filters import FILTERS, MAX_FILTERS, MAX_VALUE_LENGTH, MAX_WILDCARDS, SORTS
from errorkb.core.queries.parsing import MAX_QUERY_LENGTH, parse_query
from errorkb.core.queries.pastes import is_pasted, is_several_lines
from errorkb.core.queries.shapes import Filter, Piece, PullRequestName, Query, has_wildcard, pull_request_name
from errorkb.core.queries.writing import query_with, query_without, sorted_query, written_filter

__all__ = [
    "FILTERS",
    "MAX_FILTERS",
    "MAX_QUERY_LENGTH",
    "MAX_VALUE_LENGTH",
    "MAX_WILDCARDS",
    "SORTS",
    "Filter",
    "Piece",
    "PullRequestName",
    "Query",
    "has_wildcard",
    "is_pasted",
    "is_several_lines",
    "parse_query",
    "pull_request_name",
    "query_with",
    "query_without",
    "sorted_query",
    "written_filter",
]
