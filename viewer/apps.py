"""Django's registration of the viewer."""

from django.apps import AppConfig


class ViewerConfig(AppConfig):
    """The ASGI entry and the pages."""

    name = "viewer"
