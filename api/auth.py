"""The bearer secret, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from django.conf import settings
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

_KEY = secrets.token_bytes(32)  # a fresh key a process: the digests are worth nothing elsewhere


def _digest(text: str) -> bytes:
    return hmac.new(_KEY, text.encode("utf-8", "surrogateescape"), hashlib.sha256).digest()


class HasSecret(BasePermission):
    """Lets a request in when no secret is set, or when it carries `Authorization: Bearer <secret>`."""

    def has_permission(self, request: Request, view: object) -> bool:
        """Raise NotAuthenticated (401) when the secret is wrong or missing."""
        secret = settings.EVERLORE["EVERLORE_SECRET"]
        if not secret:
            return True
        given = request.headers.get("Authorization", "")
        if hmac.compare_digest(_digest(given), _digest(f"Bearer {secret}")):
            return True
        raise NotAuthenticated("unauthorized")
