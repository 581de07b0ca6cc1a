"""What happened to the records: the live feed, the audit, and who read what."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class ActivityEvent(models.Model):
    """One line of the live feed, written in the transaction of what it tells of."""

    kind = models.TextField()
    project_slug = models.TextField(default="")
    agent_id = models.TextField(default="")
    session_id = models.TextField(default="")
    object_id = models.TextField(default="")
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="activity_age")]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"


class AuditEntry(models.Model):
    """Who changed what, and why."""

    id = models.TextField(primary_key=True)
    timestamp = models.DateTimeField()
    operation = models.TextField()
    function_id = models.TextField(default="")
    user_id = models.TextField(default="", blank=True)
    target_ids = ArrayField(models.TextField(), default=list)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["-timestamp", "id"], name="audit_recent")]

    def __str__(self) -> str:
        return f"{self.operation} {self.id}"


class AccessLog(models.Model):
    """How often and when a record was given back."""

    object_id = models.TextField(primary_key=True)
    count = models.BigIntegerField(default=0)
    last_at = models.DateTimeField()
    recent = ArrayField(models.BigIntegerField(), default=list, help_text="Times of the last 20, in ms, newest last.")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(count__gte=0), name="access_count_positive")]

    def __str__(self) -> str:
        return self.object_id
