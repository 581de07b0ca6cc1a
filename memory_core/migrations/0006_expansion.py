from django.db import migrations, models


class Migration(migrations.Migration):
    """Counters of the synonym groups."""

    dependencies = [("memory_core", "0005_entries_in_time")]
    operations = [
        migrations.CreateModel(
            name="SynonymGroupUse",
            fields=[
                (
                    "group",
                    models.TextField(
                        help_text="The group's words, as the file of synonyms has them.",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("asked", models.BigIntegerField(default=0, help_text="Questions that it widened.")),
                (
                    "hits",
                    models.BigIntegerField(
                        default=0,
                        help_text="Of these, how many were answered with a record that has the synonym and not the"
                        " question's word.",
                    ),
                ),
                ("last_used_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(hits__gte=0, asked__gte=models.F("hits")), name="synonym_hits_of_asked"
                    )
                ],
            },
        ),
    ]
