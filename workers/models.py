"""What the workers remember about their own work."""

from django.db import models


class JobAttempt(models.Model):
    """A job that is running, or whose process died over it; the row goes when the job ends, well or badly."""

    key = models.TextField(primary_key=True)
    deaths = models.IntegerField(default=0, help_text="Times in a row that its process died before it ended.")
    started_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(deaths__gte=0), name="job_deaths_positive")]  # noqa: RUF012 - as Django reads it

    def __str__(self) -> str:
        return self.key
