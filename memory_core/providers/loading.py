"""One model a process, loaded on the first call; or its null twin, and another look later."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from memory_core.domain.errors import ModelUnavailable, ModelUntrusted
from memory_core.domain.tunables_models import PENDING_RETRY_SECONDS, UNAVAILABLE_RETRY_SECONDS

T = TypeVar("T")
Load = Callable[[str, Path, int, bool], T]
"""Model, models directory, threads, whether it may be prepared now. Raises ModelUnavailable or ModelUntrusted."""

_Key = tuple[int, str, Path, int]
"""The process id is part of it because a session's threads do not survive a fork."""


class Loaded(Generic[T]):
    """The models of one kind that this process has loaded, and those it has missed."""

    def __init__(self, load: Load[T], null: Callable[[str], T], log: logging.Logger) -> None:
        self._load, self._null, self._log = load, null, log
        self._lock = threading.Lock()
        self._loaded: dict[_Key, T] = {}
        self._missing: dict[_Key, tuple[float, str, T]] = {}

    def get(self, model: str, models_dir: Path, threads: int, may_export: bool) -> T:
        """The process's one model of that name. Raises ModelUnavailable or ModelUntrusted."""
        key = (os.getpid(), model, models_dir, threads)
        with self._lock:
            if key not in self._loaded:
                self._loaded[key] = self._load(model, models_dir, threads, may_export)
            return self._loaded[key]

    def get_or_null(
        self, model: str, models_dir: Path, threads: int, may_export: bool, *, missing: int = logging.WARNING
    ) -> T:
        """The same, or the null twin with its reason; the model is looked for again after a while.

        The reason is logged once: at the level `missing`, or as an error when weights are not what they claim to be.
        """
        key = (os.getpid(), model, models_dir, threads)
        until, said, null = self._missing.get(key, (0.0, "", None))
        if null is not None and time.monotonic() < until:
            return null
        try:
            found = self.get(model, models_dir, threads, may_export)
        except (ModelUnavailable, ModelUntrusted) as error:
            reason = str(error)
            if said != reason:
                self._log.log(logging.ERROR if isinstance(error, ModelUntrusted) else missing, "%s", reason)
            null = self._null(reason)
            wait = UNAVAILABLE_RETRY_SECONDS if may_export else PENDING_RETRY_SECONDS
            self._missing[key] = (time.monotonic() + wait, reason, null)
            return null
        self._missing.pop(key, None)
        return found
