"""Django's registration of the workers."""

from django.apps import AppConfig


class WorkersConfig(AppConfig):
    """Management commands, schedules and jobs."""

    name = "workers"
