"""The first page: whether it runs, what it holds, what to do next."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from memory_core.flows import health
from memory_core.models import ActivityEvent


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Counts and the last things that happened; where a secret guards the records, for people who signed in."""
    if settings.EVERLORE["EVERLORE_SECRET"] and not request.user.is_staff:
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    return render(
        request,
        "viewer/home.html",
        {"counts": health.counts(), "health": health.snapshot(), "recent": ActivityEvent.objects.order_by("-pk")[:20]},
    )
