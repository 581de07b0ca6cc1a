"""Every exception of the core, one tree; a docstring is the message when none is given."""

from __future__ import annotations


class EverloreError(Exception):
    """Something went wrong in Everlore."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class InvalidInput(EverloreError):
    """The request cannot be understood."""


class TooLarge(InvalidInput):
    """The request is larger than this server accepts."""


class NotFound(EverloreError):
    """There is no such record."""


class ConfigurationError(EverloreError):
    """A setting has a value that cannot work."""


class ProviderError(EverloreError):
    """Something outside the process did not answer as it should."""


class ModelUnavailable(ProviderError):
    """The model's weights are not on this machine and could not be fetched."""


class ModelUntrusted(ProviderError):
    """A packaged model file does not have the digest it is known by."""


class WidthMismatch(ConfigurationError):
    """The embedder gives vectors of another width than the active embedding space."""


class DatabaseStartError(EverloreError):
    """The embedded Postgres did not start."""
