"""What retrieval reads. Derived from the records: `everlore reindex` makes it anew."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import SparseVectorField

from .fields import AnyHalfVector
from .project import Project

SPARSE_DIMENSIONS = 1_000_000_000
"""Dimensions of the BM25 vector: pgvector's limit, so that a term's id can be a hash of it."""


class SearchEntry(models.Model):
    """One searchable record, or one piece of a long one."""

    kind = models.TextField(help_text="observation or memory")
    object_id = models.TextField()
    piece = models.SmallIntegerField(default=0)
    project = models.ForeignKey(Project, models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    agent_id = models.TextField(default="")
    session_id = models.TextField(default="")
    occurred_at = models.DateTimeField()
    term_count = models.IntegerField(help_text="Terms of the text, repetitions included: BM25's document length.")
    terms = SearchVectorField()
    weights = SparseVectorField(dimensions=SPARSE_DIMENSIONS)
    average_length = models.FloatField(help_text="The average document length its weights were made with, in terms.")
    counted = models.BooleanField(default=False, help_text="Whether the term statistics include it.")

    class Meta:
        indexes = [
            GinIndex(fields=["project", "terms"], name="entry_terms"),
            models.Index(
                fields=["project", "session_id", "occurred_at", "object_id"],
                condition=models.Q(piece=0),
                name="entry_in_session",
            ),
            models.Index(fields=["project", "occurred_at", "id"], name="entry_in_time"),
            models.Index(fields=["id"], condition=models.Q(counted=False), name="entry_uncounted"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["object_id", "piece"], name="entry_once"),
            models.CheckConstraint(condition=models.Q(kind__in=["observation", "memory"]), name="entry_kind"),
        ]


class TermStatistic(models.Model):
    """In how many entries of a project a term stands."""

    pk = models.CompositePrimaryKey("term_id", "project_id")
    term_id = models.BigIntegerField()
    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    entries = models.IntegerField()


class CorpusStatistic(models.Model):
    """How many entries a project has, and how many terms they hold together."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="+")
    entries = models.BigIntegerField(default=0)
    terms = models.BigIntegerField(default=0)


class EmbeddingSpace(models.Model):
    """All vectors of one model; searches read the active one."""

    provider = models.TextField()
    model = models.TextField()
    dimensions = models.IntegerField()
    active = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["provider", "model", "dimensions"], name="space_once"),
            models.UniqueConstraint(fields=["active"], condition=models.Q(active=True), name="space_one_active"),
            models.CheckConstraint(condition=models.Q(dimensions__range=(1, 4000)), name="space_dimensions"),
        ]

    def __str__(self) -> str:
        return f"{self.model} ({self.dimensions})"


class EntryEmbedding(models.Model):
    """One vector of an entry; a long text has several."""

    entry = models.ForeignKey(SearchEntry, models.CASCADE, related_name="embeddings", db_index=False)
    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="+", db_index=False)
    chunk = models.SmallIntegerField(default=0)
    project = models.ForeignKey(Project, models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    agent_id = models.TextField(default="")
    embedding = AnyHalfVector()

    class Meta:
        indexes = [models.Index(fields=["space", "project", "agent_id"], name="embedding_scope")]
        constraints = [models.UniqueConstraint(fields=["entry", "space", "chunk"], name="embedding_once")]


class EmbeddingCache(models.Model):
    """The vector of a text in a space, so that equal text is embedded once."""

    pk = models.CompositePrimaryKey("space_id", "digest")
    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField(max_length=32)
    embedding = AnyHalfVector()
    used_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["used_at"], name="cache_oldest")]


class EmbeddingBacklog(models.Model):
    """An entry that waits for its vectors in the active space."""

    entry = models.OneToOneField(SearchEntry, models.CASCADE, related_name="+")
    priority = models.SmallIntegerField(default=5, help_text="Lower first: memories 1, observations 5, rebuilds 9.")
    not_before = models.DateTimeField()
    attempts = models.SmallIntegerField(default=0)
    failed = models.BooleanField(
        default=False, help_text="Given up after the last attempt; `everlore reindex` retries."
    )
    last_error = models.TextField(default="", blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["priority", "not_before", "id"], condition=models.Q(failed=False), name="backlog_next"
            ),
        ]
