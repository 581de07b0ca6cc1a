"""What a project's records name together. Derived from the records: `everlore reindex` makes it anew."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField, RangeOperators
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q

from memory_core.domain.graph import EdgeType, NodeType

from .project import Project
from .search import SearchEntry


class GraphNode(models.Model):
    """Something that records name: a file, a concept, a person."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    type = models.TextField()
    key = models.TextField(help_text="The name without case, as it is looked up; of a file the end of its path.")
    name = models.TextField()
    records = models.IntegerField(help_text="How many records name it; without one it is deleted.")

    class Meta:
        indexes = [GinIndex(fields=["project", "key"], opclasses=["text_ops", "gin_trgm_ops"], name="node_alike")]
        constraints = [
            models.UniqueConstraint(fields=["key", "project", "type"], name="node_once"),
            models.CheckConstraint(condition=Q(type__in=[t.value for t in NodeType]), name="node_type"),
            models.CheckConstraint(condition=Q(records__gte=1), name="node_has_records"),
            models.CheckConstraint(condition=~Q(key=""), name="node_key"),
        ]

    def __str__(self) -> str:
        return self.name


class GraphEdge(models.Model):
    """A belief that two nodes belong together: when it holds in the world, and since when (until when) it was believed."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    source = models.ForeignKey(GraphNode, models.CASCADE, related_name="+", db_index=False)
    target = models.ForeignKey(GraphNode, models.CASCADE, related_name="+", db_index=False)
    type = models.TextField()
    weight = models.FloatField(help_text="How firmly it is believed, 0 to 1.")
    records = models.IntegerField(help_text="How many records say so; without one it is deleted.")
    valid_during = DateTimeRangeField(help_text="When it holds in the world.")
    recorded_during = DateTimeRangeField(help_text="When it was believed; open at the end while it is.")
    live = models.GeneratedField(
        expression=Func(F("recorded_during"), function="upper_inf", output_field=models.BooleanField()),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    level = models.GeneratedField(
        expression=Func(
            F("weight"),
            F("records"),
            template="floor(ln(greatest(%(expressions)s, 0.001)) / ln(2))",
            arg_joiner=" * ",
            output_field=models.SmallIntegerField(),
        ),
        output_field=models.SmallIntegerField(),
        db_persist=True,
        help_text="Its strength in powers of two: a record more seldom moves it in the indexes.",
    )

    class Meta:
        indexes = [
            models.Index(fields=["source", "live", "-level"], name="edge_from"),
            models.Index(fields=["target", "live", "-level"], name="edge_to"),
        ]
        constraints = [
            ExclusionConstraint(
                name="edge_one_belief",
                expressions=[
                    ("source", RangeOperators.EQUAL),
                    ("target", RangeOperators.EQUAL),
                    ("type", RangeOperators.EQUAL),
                    ("valid_during", RangeOperators.OVERLAPS),
                    ("recorded_during", RangeOperators.OVERLAPS),
                ],
            ),
            models.UniqueConstraint(
                fields=["source", "target", "type"],
                condition=Q(live=True, valid_during__upper_inf=True),
                name="edge_current",
            ),
            models.CheckConstraint(condition=Q(type__in=[t.value for t in EdgeType]), name="edge_type"),
            models.CheckConstraint(condition=Q(weight__gt=0, weight__lte=1), name="edge_weight"),
            models.CheckConstraint(condition=Q(records__gte=1), name="edge_has_records"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="edge_between_two"),
            models.CheckConstraint(
                condition=Q(valid_during__isempty=False, recorded_during__isempty=False), name="edge_some_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.type} {self.target}"


class GraphEvidence(models.Model):
    """That a record names a node, with the limits of scope; the session and the time are the entry's."""

    pk = models.CompositePrimaryKey("node_id", "entry_id")
    node = models.ForeignKey(GraphNode, models.CASCADE, related_name="evidence", db_index=False)
    entry = models.ForeignKey(SearchEntry, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    project = models.ForeignKey(Project, models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    agent_id = models.TextField(default="")


class LinkedEntry(models.Model):
    """What an entry's record has given to the graph, to be taken back with it."""

    entry = models.OneToOneField(SearchEntry, models.CASCADE, primary_key=True, related_name="+")
    nodes = ArrayField(models.BigIntegerField())
    edges = ArrayField(models.BigIntegerField())


class LinkBacklog(models.Model):
    """An entry whose record is not in the graph yet, or is to be read for it anew."""

    entry = models.OneToOneField(SearchEntry, models.CASCADE, primary_key=True, related_name="+")
