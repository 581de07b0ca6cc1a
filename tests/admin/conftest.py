"""A curator signed in to the admin, without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from memory_core.flows import embedding
from memory_core.providers.embedding.null import NullEmbedder


@pytest.fixture(autouse=True)
def words_only() -> Iterator[None]:
    embedding.use(NullEmbedder("no model in this test"))
    yield
    embedding.use(None)


@pytest.fixture
def curator(db: Any) -> Client:
    """May do everything the admin offers."""
    client = Client()
    client.force_login(User.objects.create_superuser("keeper", password="not asked for"))
    return client


@pytest.fixture
def colleague(db: Any) -> Callable[..., Client]:
    """May do what is named, and nothing else."""

    def sign_in(*codenames: str) -> Client:
        user = User.objects.create_user("colleague", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client = Client()
        client.force_login(user)
        return client

    return sign_in
