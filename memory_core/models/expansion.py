"""What widening a question by synonyms has brought."""

from django.db import models


class SynonymGroupUse(models.Model):
    """How often a group of synonyms widened a question, and how often an answer owed it a record."""

    group = models.TextField(primary_key=True, help_text="The group's words, as the file of synonyms has them.")
    asked = models.BigIntegerField(default=0, help_text="Questions that it widened.")
    hits = models.BigIntegerField(
        default=0,
        help_text="Of these, how many were answered with a record that has the synonym and not the question's word.",
    )
    last_used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(hits__gte=0, asked__gte=models.F("hits")), name="synonym_hits_of_asked"
            )
        ]

    def __str__(self) -> str:
        return self.group
