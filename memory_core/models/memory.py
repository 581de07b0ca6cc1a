"""Something worth keeping beyond its session."""

from django.db import models

from memory_core.domain.events import Channel

from .fields import text_list
from .project import Project


class Memory(models.Model):
    """One version of a memory; the versions of a chain share `chain`, the id of the first."""

    class Type(models.TextChoices):
        PATTERN = "pattern"
        PREFERENCE = "preference"
        ARCHITECTURE = "architecture"
        BUG = "bug"
        WORKFLOW = "workflow"
        FACT = "fact"

    id = models.TextField(primary_key=True)
    chain = models.TextField()
    version = models.IntegerField(default=1)
    is_latest = models.BooleanField(default=True)
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")
    supersedes = text_list()
    project = models.ForeignKey(Project, models.PROTECT, related_name="memories")
    agent_id = models.TextField(default="", blank=True)
    type = models.TextField(choices=Type, default=Type.FACT)
    title = models.TextField()
    content = models.TextField()
    concepts = text_list()
    files = text_list()
    session_ids = text_list()
    source_observation_ids = text_list()
    related_ids = text_list()
    strength = models.FloatField(default=7)
    forget_after = models.DateTimeField(null=True, blank=True)
    images = text_list()
    channel = models.TextField(default=Channel.AGENT.value)
    channel_detail = models.TextField(default="", blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "memories"
        indexes = [
            models.Index(fields=["project", "-updated_at"], condition=models.Q(is_latest=True), name="memory_latest"),
            models.Index(fields=["-created_at", "id"], name="memory_recent"),
            models.Index(fields=["forget_after"], condition=models.Q(forget_after__isnull=False), name="memory_expiry"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["chain"], condition=models.Q(is_latest=True), name="memory_one_latest"),
            models.UniqueConstraint(fields=["chain", "version"], name="memory_version_once"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="memory_version_positive"),
            models.CheckConstraint(condition=models.Q(strength__range=(0, 10)), name="memory_strength"),
            models.CheckConstraint(condition=models.Q(id__startswith="mem_"), name="memory_id_prefix"),
            models.CheckConstraint(
                condition=models.Q(type__in=["pattern", "preference", "architecture", "bug", "workflow", "fact"]),
                name="memory_type",
            ),
            models.CheckConstraint(condition=models.Q(channel__in=[c.value for c in Channel]), name="memory_channel"),
            models.CheckConstraint(
                condition=models.Q(version=1, parent__isnull=True) | models.Q(version__gt=1),
                name="memory_first_has_no_parent",
            ),
        ]

    def __str__(self) -> str:
        return self.title
