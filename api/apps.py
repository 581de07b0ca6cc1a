"""Django's registration of the REST surface."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST surface; it has no models."""

    name = "api"
