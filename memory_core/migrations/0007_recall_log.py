import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """What recall can learn from, and the weights fitted to it."""

    dependencies = [
        ("memory_core", "0006_expansion"),
    ]

    operations = [
        migrations.CreateModel(
            name="RecallLog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField()),
                ("agent_id", models.TextField(default="")),
                ("session_id", models.TextField(default="")),
                (
                    "digest",
                    models.BinaryField(
                        help_text="Keyed by the instance's secret: tells one question from another, and not its words."
                    ),
                ),
                (
                    "shown",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "candidates",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "ranks",
                    models.JSONField(
                        default=dict,
                        help_text="By stream: the rank of each candidate in it, in their order; 0 where it has none.",
                    ),
                ),
                ("votes", models.JSONField(default=dict, help_text="By stream: its vote before anything learned.")),
                (
                    "used",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "follows",
                    models.BigIntegerField(help_text="Number of the answer before it that did not serve.", null=True),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        help_text="Empty: asked of every project.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.project",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["project", "-asked_at"], name="recall_of_project"),
                    models.Index(fields=["session_id", "-asked_at"], name="recall_of_session"),
                    models.Index(fields=["-asked_at"], name="recall_recent"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StreamWeights",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fitted_at", models.DateTimeField()),
                ("outcome", models.TextField()),
                ("old", models.JSONField(default=dict)),
                ("new", models.JSONField(default=dict)),
                ("questions", models.IntegerField(default=0, help_text="Different questions with a used record.")),
                ("held_out", models.IntegerField(default=0, help_text="Those of them that the fit did not see.")),
                (
                    "old_score",
                    models.FloatField(help_text="NDCG of the old weights on the held-out questions.", null=True),
                ),
                ("new_score", models.FloatField(help_text="NDCG of the new weights on the same questions.", null=True)),
                (
                    "least_gain",
                    models.FloatField(help_text="Lower bound of the gain, by a paired bootstrap.", null=True),
                ),
                ("in_use", models.BooleanField(default=False)),
                ("decided_by", models.TextField(blank=True, default="")),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.project",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "stream weights",
                "indexes": [models.Index(fields=["project", "-fitted_at"], name="weights_of_project")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["won", "no_gain", "unsure", "same", "reset", "chosen"])),
                        name="weights_outcome",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("in_use", True)), fields=("project",), name="weights_one_in_use"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("in_use", False), ("outcome__in", ["won", "chosen"]), _connector="OR"),
                        name="weights_in_use_won",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("held_out__gte", 0), ("questions__gte", models.F("held_out"))),
                        name="weights_held_out_part",
                    ),
                ],
            },
        ),
    ]
