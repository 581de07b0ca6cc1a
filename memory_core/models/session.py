"""A session of one agent in one project."""

from django.db import models

from .fields import text_list
from .project import Project

MAX_SESSION_ID = 512


class Session(models.Model):
    """What a client calls a session; its id is the client's own."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        COMPLETED = "completed"
        ABANDONED = "abandoned"

    id = models.TextField(primary_key=True)
    project = models.ForeignKey(Project, models.PROTECT, related_name="sessions", db_index=False)
    agent_id = models.TextField(default="", blank=True)
    cwd = models.TextField(default="", blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField()
    status = models.TextField(choices=Status, default=Status.ACTIVE)
    observation_count = models.IntegerField(default=0)
    refused_count = models.IntegerField(default=0, help_text="Events refused because the session was full.")
    model = models.TextField(default="", blank=True)
    title = models.TextField(default="", blank=True)
    first_prompt = models.TextField(default="", blank=True)
    tags = text_list()
    commit_shas = text_list()

    class Meta:
        indexes = [
            models.Index(fields=["project", "-started_at"], name="session_by_project"),
            models.Index(fields=["-started_at", "id"], name="session_recent"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(id__length__range=(1, MAX_SESSION_ID)), name="session_id_length"),
            models.CheckConstraint(
                condition=models.Q(status__in=["active", "completed", "abandoned"]), name="session_status"
            ),
            models.CheckConstraint(condition=models.Q(observation_count__gte=0), name="session_count_positive"),
            models.CheckConstraint(condition=models.Q(refused_count__gte=0), name="session_refused_positive"),
        ]

    def __str__(self) -> str:
        return self.id
