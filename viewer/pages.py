"""The first page: whether it runs, what it holds, what happened last; and the door in front of it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory_core.domain.tunables_viewer import RECENT_EVENTS
from memory_core.flows import health
from memory_core.models import ActivityEvent

from . import access, state, words


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The state, counts and the last events; 401 with the form for the secret where it is needed; 503 without a database."""
    if not access.may_see(request):
        return _door(request)
    snapshot = health.snapshot()
    reachable = snapshot["kvConnectivity"]["status"] == "ok"
    context: dict[str, Any] = {
        "facts": state.facts(snapshot),
        "healthy": snapshot["status"] == "healthy",
        "locked": bool(settings.EVERLORE["EVERLORE_SECRET"]),
    }
    if reachable:
        context["counts"] = _counts()
        context["recent"] = words.lines(ActivityEvent.objects.order_by("-pk")[:RECENT_EVENTS])
    return render(request, "viewer/home.html", context, status=200 if reachable else 503)


def _counts() -> list[tuple[str, int, str]]:
    """Name, number and the admin's list of each kind of record."""
    numbers = health.counts()
    return [
        (_("Projects"), numbers["projects"], reverse("admin:memory_core_project_changelist")),
        (_("Sessions"), numbers["sessions"], reverse("admin:memory_core_session_changelist")),
        (_("Observations"), numbers["observations"], reverse("admin:memory_core_observation_changelist")),
        (_("Memories"), numbers["memories"], reverse("admin:memory_core_memory_changelist") + "?is_latest__exact=1"),
    ]


def _door(request: HttpRequest, *, wrong: bool = False) -> HttpResponse:
    response = render(request, "viewer/door.html", {"wrong": wrong}, status=401)
    response["WWW-Authenticate"] = "Bearer"  # a browser asks nothing for this scheme: the form does
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unlock(request: HttpRequest) -> HttpResponse:
    """Let a browser in that gives the secret; a reload of this address goes back to the first page."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("home"))
    if not access.is_secret(request.POST.get("secret", "")):
        return _door(request, wrong=True)
    response = HttpResponseRedirect(reverse("home"))
    access.let_in(request, response)
    return response


@require_POST
def lock(request: HttpRequest) -> HttpResponse:
    """Lock this browser out again."""
    response = HttpResponseRedirect(reverse("home"))
    access.lock_out(response)
    return response
