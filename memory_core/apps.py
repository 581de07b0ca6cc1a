"""Django's registration of the core."""

from django.apps import AppConfig


class MemoryCoreConfig(AppConfig):
    """Models, admin and system checks of the core."""

    name = "memory_core"
    verbose_name = "Everlore"

    def ready(self) -> None:
        from memory_core import checks  # noqa: F401  (registers the system checks)
