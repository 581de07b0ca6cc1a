"""One thing that happened in a session."""

from django.db import models

from memory_core.domain.events import Channel, ObservationType

from .fields import text_list
from .project import Project
from .session import Session


class Observation(models.Model):
    """A captured hook event: the scrubbed payload as it came, and its compressed fields beside it."""

    id = models.TextField(primary_key=True)
    session = models.ForeignKey(Session, models.CASCADE, related_name="observations", db_index=False)
    project = models.ForeignKey(Project, models.PROTECT, related_name="+", db_index=False)
    agent_id = models.TextField(default="", blank=True)
    hook_type = models.TextField()
    timestamp = models.DateTimeField(help_text="When it happened, as the client says.")
    created_at = models.DateTimeField(help_text="When the server stored it.")
    event_id = models.TextField(null=True, blank=True, help_text="The client's own id of the event; stored once.")
    channel = models.TextField()
    channel_detail = models.TextField(default="", blank=True)
    raw = models.JSONField(null=True, help_text="The payload, scrubbed, images lifted out.")
    type = models.TextField()
    title = models.TextField()
    subtitle = models.TextField(default="", blank=True)
    facts = text_list()
    narrative = models.TextField(default="", blank=True)
    concepts = text_list()
    files = text_list()
    importance = models.SmallIntegerField()
    confidence = models.FloatField()
    tool_name = models.TextField(default="", blank=True)
    modality = models.TextField(default="text")
    images = text_list()
    compressed_by = models.TextField(default="rules")

    class Meta:
        indexes = [
            models.Index(fields=["session", "timestamp", "id"], name="observation_in_session"),
            models.Index(fields=["project", "-timestamp"], name="observation_by_project"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["event_id"], name="observation_event_once"),
            models.CheckConstraint(condition=models.Q(importance__range=(1, 10)), name="observation_importance"),
            models.CheckConstraint(condition=models.Q(confidence__range=(0, 1)), name="observation_confidence"),
            models.CheckConstraint(
                condition=models.Q(channel__in=[c.value for c in Channel]), name="observation_channel"
            ),
            models.CheckConstraint(
                condition=models.Q(type__in=[t.value for t in ObservationType]), name="observation_type"
            ),
            models.CheckConstraint(
                condition=models.Q(modality__in=["text", "image", "mixed"]), name="observation_modality"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class ObservationFingerprint(models.Model):
    """When a session last stored an event of this content: the dedup window, shared by every process."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField(max_length=32)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "digest"], name="fingerprint_once")]
        indexes = [models.Index(fields=["seen_at"], name="fingerprint_sweep")]


class Image(models.Model):
    """An image lifted out of payloads: the file's name in the image directory and how many records use it."""

    name = models.TextField(primary_key=True)
    size = models.IntegerField()
    reference_count = models.IntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(reference_count__gte=0), name="image_references_positive")
        ]

    def __str__(self) -> str:
        return self.name
