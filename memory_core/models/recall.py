"""What recall can learn from: which records answered a question and were used, and the weights fitted to that."""

from django.db import models

from .fields import text_list
from .project import Project


class RecallLog(models.Model):
    """One answered question, without its words; the ranks are kept so that other weights can be tried on them."""

    asked_at = models.DateTimeField()
    project = models.ForeignKey(
        Project,
        models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        help_text="Empty: asked of every project.",
    )
    agent_id = models.TextField(default="")
    session_id = models.TextField(default="")
    digest = models.BinaryField(
        help_text="Keyed by the instance's secret: tells one question from another, and not its words."
    )
    shown = text_list()
    candidates = text_list()
    ranks = models.JSONField(
        default=dict, help_text="By stream: the rank of each candidate in it, in their order; 0 where it has none."
    )
    votes = models.JSONField(default=dict, help_text="By stream: its vote before anything learned.")
    used = text_list()
    follows = models.BigIntegerField(null=True, help_text="Number of the answer before it that did not serve.")

    class Meta:
        indexes = [
            models.Index(fields=["project", "-asked_at"], name="recall_of_project"),
            models.Index(fields=["session_id", "-asked_at"], name="recall_of_session"),
            models.Index(fields=["-asked_at"], name="recall_recent"),
        ]

    def __str__(self) -> str:
        return f"recall {self.pk}"


class StreamWeights(models.Model):
    """One fit of a project's stream weights, won or lost, or a person's decision; at most one a project is in use.

    A weight is what the configured vote of the stream is multiplied by; a stream that is not named keeps 1.
    """

    class Outcome(models.TextChoices):
        """Why the new weights are, or are not, in use."""

        WON = "won"
        NO_GAIN = "no_gain"
        UNSURE = "unsure"
        SAME = "same"
        RESET = "reset"
        CHOSEN = "chosen"

    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    fitted_at = models.DateTimeField()
    outcome = models.TextField()
    old = models.JSONField(default=dict)
    new = models.JSONField(default=dict)
    questions = models.IntegerField(default=0, help_text="Different questions with a used record.")
    held_out = models.IntegerField(default=0, help_text="Those of them that the fit did not see.")
    old_score = models.FloatField(null=True, help_text="NDCG of the old weights on the held-out questions.")
    new_score = models.FloatField(null=True, help_text="NDCG of the new weights on the same questions.")
    least_gain = models.FloatField(null=True, help_text="Lower bound of the gain, by a paired bootstrap.")
    in_use = models.BooleanField(default=False)
    decided_by = models.TextField(default="", blank=True)

    class Meta:
        verbose_name_plural = "stream weights"
        indexes = [models.Index(fields=["project", "-fitted_at"], name="weights_of_project")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(outcome__in=["won", "no_gain", "unsure", "same", "reset", "chosen"]),
                name="weights_outcome",
            ),
            models.UniqueConstraint(fields=["project"], condition=models.Q(in_use=True), name="weights_one_in_use"),
            models.CheckConstraint(
                condition=models.Q(in_use=False) | models.Q(outcome__in=["won", "chosen"]), name="weights_in_use_won"
            ),
            models.CheckConstraint(
                condition=models.Q(held_out__gte=0, questions__gte=models.F("held_out")), name="weights_held_out_part"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id or '(global)'} {self.fitted_at:%Y-%m-%d %H:%M}"
