from django.db import migrations

from memory_core.sql import functions


def create_global_project(apps, schema_editor):
    """The scope every project may read exists from the start."""
    apps.get_model("memory_core", "Project").objects.get_or_create(slug="")


class Migration(migrations.Migration):
    """Reciprocal rank fusion as a SQL function, and the origin channel that cannot change."""

    dependencies = [("memory_core", "0002_tables")]
    operations = [
        migrations.RunSQL(functions.RRF, functions.DROP_RRF),
        migrations.RunSQL(functions.IMMUTABLE_CHANNEL, functions.DROP_IMMUTABLE_CHANNEL),
        migrations.RunSQL(functions.PATTERN_INDEXES, migrations.RunSQL.noop),
        migrations.RunSQL(functions.STORAGE, migrations.RunSQL.noop),
        migrations.RunPython(create_global_project, migrations.RunPython.noop),
    ]
