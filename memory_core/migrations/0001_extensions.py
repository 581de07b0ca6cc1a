from django.contrib.postgres.operations import BtreeGinExtension, TrigramExtension
from django.db import migrations
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    """pgvector for vectors and BM25, btree_gin for the project inside the text index, pg_trgm for names."""

    initial = True
    dependencies = []
    operations = [VectorExtension(), BtreeGinExtension(), TrigramExtension()]
