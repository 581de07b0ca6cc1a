"""A project: the unit of isolation."""

from django.db import models
from django.db.models.functions import Length

from .fields import text_list

models.TextField.register_lookup(Length, "length")

MAX_SLUG = 1024


class Project(models.Model):
    """One project; its slug is what clients call it. The empty slug is the global scope every project may read."""

    slug = models.TextField(primary_key=True)
    roots = text_list()
    settings = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(slug__length__lte=MAX_SLUG), name="project_slug_short"),
        ]

    def __str__(self) -> str:
        return self.slug or "(global)"
