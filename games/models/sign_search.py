"""Which ended matches are to be searched for signs. `games.review.sign_search` searches them."""

from django.db import models
from django.db.models import Q

from games.models.match import Match


class SignSearch(models.Model):
    """That a match has ended, and whether it was searched since then."""

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="sign_search"
    )
    at = models.DateTimeField()  # when its result was last heard of
    due_at = models.DateTimeField(null=True)  # a lease; null once it was searched

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["due_at"], name="sign_search_due", condition=Q(due_at__isnull=False)
            ),
            models.Index(fields=["at"], name="sign_search_done", condition=Q(due_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"search of {self.match_id}"
