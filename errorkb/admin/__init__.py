"""Admin: curation: documents edited as forms, with reasons, revisions and the way back."""

from django.contrib import admin

from errorkb.admin import batches, entries, found_pull_requests, misses, pull_requests, repositories, revisions

__all__ = ["batches", "entries", "found_pull_requests", "misses", "pull_requests", "repositories", "revisions"]

admin.site.site_header = "errorkb curation"
admin.site.site_title = "errorkb"
admin.site.index_title = "Curation"
admin.site.enable_nav_sidebar = False
