"""The first page: whether it runs, what it holds, what to do next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from memory_core.flows import health
from memory_core.models import ActivityEvent


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Counts and the last things that happened; the full viewer comes after this."""
    return render(
        request,
        "viewer/home.html",
        {"counts": health.counts(), "health": health.snapshot(), "recent": ActivityEvent.objects.order_by("-pk")[:20]},
    )
