"""The time arm reads the entries of a span of a project, newest first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0004_graph")]

    operations = [
        migrations.AddIndex(
            model_name="searchentry",
            index=models.Index(fields=["project", "occurred_at", "id"], name="entry_in_time"),
        ),
    ]
