"""Who may see the pages: everybody while no secret is set, else those who gave it, and people signed in to the admin."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from memory_core.domain.tunables_viewer import UNLOCKED_SECONDS

COOKIE = "everlore_unlocked"


def _secret() -> str:
    return str(settings.EVERLORE["EVERLORE_SECRET"])


def _salt() -> str:
    """The secret is part of what the cookie is signed with: a new secret locks every browser out."""
    return f"viewer.access:{_secret()}"


def may_see(request: HttpRequest) -> bool:
    """Whether this request is let in."""
    if not _secret():
        return True
    if request.get_signed_cookie(COOKIE, default="", salt=_salt(), max_age=UNLOCKED_SECONDS):
        return True
    return bool(request.user.is_active and getattr(request.user, "is_staff", False))


def is_secret(given: str) -> bool:
    """Whether this is the secret, in constant time."""
    return bool(_secret()) and constant_time_compare(given, _secret())


def let_in(request: HttpRequest, response: HttpResponse) -> None:
    """Give the browser a signed cookie; it does not hold the secret, and scripts cannot read it."""
    response.set_signed_cookie(
        COOKIE,
        "1",
        salt=_salt(),
        max_age=UNLOCKED_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def lock_out(response: HttpResponse) -> None:
    """Take the cookie away."""
    response.delete_cookie(COOKIE, samesite="Lax")
