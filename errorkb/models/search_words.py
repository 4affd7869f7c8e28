"""Models: how common the tokens are that search goes by, and how the words among them are spelled."""

from django.db import models

# The one that stands for all rows: `documents` is their number, `titles` the last primary key that was counted.
ALL_ROWS = ""


class SearchWord(models.Model):
    """A token and how many search rows hold it, about: counted now and then on a sample, so that it lags behind.

    The least common ones have no row. `head`, `tail` and `length` are of words that may be mistyped, empty of others.
    """

    token = models.CharField(max_length=64, primary_key=True)
    documents = models.PositiveIntegerField(help_text="rows that hold it anywhere")
    titles = models.PositiveIntegerField(help_text="rows that hold it in the title")
    head = models.CharField(max_length=3, help_text="first letters")
    tail = models.CharField(max_length=3, help_text="last letters")
    length = models.PositiveSmallIntegerField(help_text="letters")

    class Meta:
        indexes = [
            models.Index(fields=["head", "length"], name="search_word_head", condition=models.Q(length__gt=0)),
            models.Index(fields=["tail", "length"], name="search_word_tail", condition=models.Q(length__gt=0)),
        ]

    def __str__(self) -> str:
        return self.token
