import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import memory_core.models.fields
import pgvector.django.sparsevec
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("memory_core", "0001_extensions"),
    ]

    operations = [
        migrations.CreateModel(
            name="Project",
            fields=[
                ("slug", models.TextField(primary_key=True, serialize=False)),
                (
                    "roots",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("settings", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="EmbeddingSpace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("provider", models.TextField()),
                ("model", models.TextField()),
                ("dimensions", models.IntegerField()),
                ("active", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Image",
            fields=[
                ("name", models.TextField(primary_key=True, serialize=False)),
                ("size", models.IntegerField()),
                ("reference_count", models.IntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Memory",
            fields=[
                ("id", models.TextField(primary_key=True, serialize=False)),
                ("chain", models.TextField()),
                ("version", models.IntegerField(default=1)),
                ("is_latest", models.BooleanField(default=True)),
                (
                    "supersedes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("agent_id", models.TextField(blank=True, default="")),
                (
                    "type",
                    models.TextField(
                        choices=[
                            ("pattern", "Pattern"),
                            ("preference", "Preference"),
                            ("architecture", "Architecture"),
                            ("bug", "Bug"),
                            ("workflow", "Workflow"),
                            ("fact", "Fact"),
                        ],
                        default="fact",
                    ),
                ),
                ("title", models.TextField()),
                ("content", models.TextField()),
                (
                    "concepts",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "files",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "session_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "source_observation_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "related_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("strength", models.FloatField(default=7)),
                ("forget_after", models.DateTimeField(blank=True, null=True)),
                (
                    "images",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("channel", models.TextField(default="agent")),
                ("channel_detail", models.TextField(blank=True, default="")),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="memory_core.memory",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="memories", to="memory_core.project"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "memories",
            },
        ),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.TextField(help_text="observation or memory")),
                ("object_id", models.TextField()),
                ("piece", models.SmallIntegerField(default=0)),
                ("agent_id", models.TextField(default="")),
                ("session_id", models.TextField(default="")),
                ("occurred_at", models.DateTimeField()),
                (
                    "term_count",
                    models.IntegerField(help_text="Terms of the text, repetitions included: BM25's document length."),
                ),
                ("terms", django.contrib.postgres.search.SearchVectorField()),
                ("weights", pgvector.django.sparsevec.SparseVectorField(dimensions=1000000000)),
                (
                    "average_length",
                    models.FloatField(help_text="The average document length its weights were made with, in terms."),
                ),
                ("counted", models.BooleanField(default=False, help_text="Whether the term statistics include it.")),
                (
                    "project",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory_core.project",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                ("id", models.TextField(primary_key=True, serialize=False)),
                ("agent_id", models.TextField(blank=True, default="")),
                ("cwd", models.TextField(blank=True, default="")),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("updated_at", models.DateTimeField()),
                (
                    "status",
                    models.TextField(
                        choices=[("active", "Active"), ("completed", "Completed"), ("abandoned", "Abandoned")],
                        default="active",
                    ),
                ),
                ("observation_count", models.IntegerField(default=0)),
                (
                    "refused_count",
                    models.IntegerField(default=0, help_text="Events refused because the session was full."),
                ),
                ("model", models.TextField(blank=True, default="")),
                ("title", models.TextField(blank=True, default="")),
                ("first_prompt", models.TextField(blank=True, default="")),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "commit_shas",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sessions",
                        to="memory_core.project",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TermStatistic",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "term_id", "project_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("term_id", models.BigIntegerField()),
                ("entries", models.IntegerField()),
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
        ),
        migrations.CreateModel(
            name="AccessLog",
            fields=[
                ("object_id", models.TextField(primary_key=True, serialize=False)),
                ("count", models.BigIntegerField(default=0)),
                ("last_at", models.DateTimeField()),
                (
                    "recent",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="Times of the last 20, in ms, newest last.",
                        size=None,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("count__gte", 0)), name="access_count_positive")
                ],
            },
        ),
        migrations.CreateModel(
            name="ActivityEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.TextField()),
                ("project_slug", models.TextField(default="")),
                ("agent_id", models.TextField(default="")),
                ("session_id", models.TextField(default="")),
                ("object_id", models.TextField(default="")),
                ("data", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="activity_age")],
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.TextField(primary_key=True, serialize=False)),
                ("timestamp", models.DateTimeField()),
                ("operation", models.TextField()),
                ("function_id", models.TextField(default="")),
                ("user_id", models.TextField(blank=True, default="")),
                (
                    "target_ids",
                    django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None),
                ),
                ("details", models.JSONField(default=dict)),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "indexes": [models.Index(fields=["-timestamp", "id"], name="audit_recent")],
            },
        ),
        migrations.CreateModel(
            name="CorpusStatistic",
            fields=[
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="memory_core.project",
                    ),
                ),
                ("entries", models.BigIntegerField(default=0)),
                ("terms", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="EmbeddingBacklog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "priority",
                    models.SmallIntegerField(
                        default=5, help_text="Lower first: memories 1, observations 5, rebuilds 9."
                    ),
                ),
                ("not_before", models.DateTimeField()),
                ("attempts", models.SmallIntegerField(default=0)),
                (
                    "failed",
                    models.BooleanField(
                        default=False, help_text="Given up after the last attempt; `everlore reindex` retries."
                    ),
                ),
                ("last_error", models.TextField(blank=True, default="")),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_core.searchentry"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EmbeddingCache",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "digest", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("embedding", memory_core.models.fields.AnyHalfVector()),
                ("used_at", models.DateTimeField(auto_now=True)),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.embeddingspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EntryEmbedding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chunk", models.SmallIntegerField(default=0)),
                ("agent_id", models.TextField(default="")),
                ("embedding", memory_core.models.fields.AnyHalfVector()),
                (
                    "project",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory_core.project",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.embeddingspace",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="memory_core.searchentry",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Observation",
            fields=[
                ("id", models.TextField(primary_key=True, serialize=False)),
                ("agent_id", models.TextField(blank=True, default="")),
                ("hook_type", models.TextField()),
                ("timestamp", models.DateTimeField(help_text="When it happened, as the client says.")),
                ("created_at", models.DateTimeField(help_text="When the server stored it.")),
                (
                    "event_id",
                    models.TextField(blank=True, help_text="The client's own id of the event; stored once.", null=True),
                ),
                ("channel", models.TextField()),
                ("channel_detail", models.TextField(blank=True, default="")),
                ("raw", models.JSONField(help_text="The payload, scrubbed, images lifted out.", null=True)),
                ("type", models.TextField()),
                ("title", models.TextField()),
                ("subtitle", models.TextField(blank=True, default="")),
                (
                    "facts",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("narrative", models.TextField(blank=True, default="")),
                (
                    "concepts",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "files",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("importance", models.SmallIntegerField()),
                ("confidence", models.FloatField()),
                ("tool_name", models.TextField(blank=True, default="")),
                ("modality", models.TextField(default="text")),
                (
                    "images",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("compressed_by", models.TextField(default="rules")),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory_core.project",
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="observations",
                        to="memory_core.session",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ObservationFingerprint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.BinaryField(max_length=32)),
                ("seen_at", models.DateTimeField()),
                (
                    "session",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.session",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="project",
            constraint=models.CheckConstraint(
                condition=models.Q(("slug__length__lte", 1024)), name="project_slug_short"
            ),
        ),
        migrations.AddConstraint(
            model_name="embeddingspace",
            constraint=models.UniqueConstraint(fields=("provider", "model", "dimensions"), name="space_once"),
        ),
        migrations.AddConstraint(
            model_name="embeddingspace",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)), fields=("active",), name="space_one_active"
            ),
        ),
        migrations.AddConstraint(
            model_name="embeddingspace",
            constraint=models.CheckConstraint(
                condition=models.Q(("dimensions__range", (1, 4000))), name="space_dimensions"
            ),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(("reference_count__gte", 0)), name="image_references_positive"
            ),
        ),
        migrations.AddIndex(
            model_name="embeddingcache",
            index=models.Index(fields=["used_at"], name="cache_oldest"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("is_latest", True)), fields=["project", "-updated_at"], name="memory_latest"
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["-created_at", "id"], name="memory_recent"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("forget_after__isnull", False)), fields=["forget_after"], name="memory_expiry"
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_latest", True)), fields=("chain",), name="memory_one_latest"
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.UniqueConstraint(fields=("chain", "version"), name="memory_version_once"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="memory_version_positive"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(condition=models.Q(("strength__range", (0, 10))), name="memory_strength"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(condition=models.Q(("id__startswith", "mem_")), name="memory_id_prefix"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("type__in", ["pattern", "preference", "architecture", "bug", "workflow", "fact"])),
                name="memory_type",
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("channel__in", ["user", "agent", "tool", "import", "shared"])),
                name="memory_channel",
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("parent__isnull", True), ("version", 1)), ("version__gt", 1), _connector="OR"
                ),
                name="memory_first_has_no_parent",
            ),
        ),
        migrations.AddIndex(
            model_name="searchentry",
            index=django.contrib.postgres.indexes.GinIndex(fields=["project", "terms"], name="entry_terms"),
        ),
        migrations.AddIndex(
            model_name="searchentry",
            index=models.Index(
                condition=models.Q(("piece", 0)),
                fields=["project", "session_id", "occurred_at", "object_id"],
                name="entry_in_session",
            ),
        ),
        migrations.AddIndex(
            model_name="searchentry",
            index=models.Index(condition=models.Q(("counted", False)), fields=["id"], name="entry_uncounted"),
        ),
        migrations.AddConstraint(
            model_name="searchentry",
            constraint=models.UniqueConstraint(fields=("object_id", "piece"), name="entry_once"),
        ),
        migrations.AddConstraint(
            model_name="searchentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["observation", "memory"])), name="entry_kind"
            ),
        ),
        migrations.AddIndex(
            model_name="entryembedding",
            index=models.Index(fields=["space", "project", "agent_id"], name="embedding_scope"),
        ),
        migrations.AddConstraint(
            model_name="entryembedding",
            constraint=models.UniqueConstraint(fields=("entry", "space", "chunk"), name="embedding_once"),
        ),
        migrations.AddIndex(
            model_name="embeddingbacklog",
            index=models.Index(
                condition=models.Q(("failed", False)), fields=["priority", "not_before", "id"], name="backlog_next"
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["project", "-started_at"], name="session_by_project"),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["-started_at", "id"], name="session_recent"),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("id__length__range", (1, 512))), name="session_id_length"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["active", "completed", "abandoned"])), name="session_status"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("observation_count__gte", 0)), name="session_count_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("refused_count__gte", 0)), name="session_refused_positive"
            ),
        ),
        migrations.AddIndex(
            model_name="observationfingerprint",
            index=models.Index(fields=["seen_at"], name="fingerprint_sweep"),
        ),
        migrations.AddConstraint(
            model_name="observationfingerprint",
            constraint=models.UniqueConstraint(fields=("session", "digest"), name="fingerprint_once"),
        ),
        migrations.AddIndex(
            model_name="observation",
            index=models.Index(fields=["session", "timestamp", "id"], name="observation_in_session"),
        ),
        migrations.AddIndex(
            model_name="observation",
            index=models.Index(fields=["project", "-timestamp"], name="observation_by_project"),
        ),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.UniqueConstraint(fields=("event_id",), name="observation_event_once"),
        ),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.CheckConstraint(
                condition=models.Q(("importance__range", (1, 10))), name="observation_importance"
            ),
        ),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.CheckConstraint(
                condition=models.Q(("confidence__range", (0, 1))), name="observation_confidence"
            ),
        ),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.CheckConstraint(
                condition=models.Q(("channel__in", ["user", "agent", "tool", "import", "shared"])),
                name="observation_channel",
            ),
        ),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "type__in",
                        [
                            "file_read",
                            "file_write",
                            "file_edit",
                            "command_run",
                            "search",
                            "web_fetch",
                            "conversation",
                            "error",
                            "decision",
                            "discovery",
                            "subagent",
                            "notification",
                            "task",
                            "image",
                            "other",
                        ],
                    )
                ),
                name="observation_type",
            ),
        ),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.CheckConstraint(
                condition=models.Q(("modality__in", ["text", "image", "mixed"])), name="observation_modality"
            ),
        ),
    ]
