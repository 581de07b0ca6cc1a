"""Django's registration of the REST surface."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST surface; it has no models."""

    name = "api"

    def ready(self) -> None:
        """Make the published schema know the fields of request bodies."""
        from . import schema  # noqa: F401
