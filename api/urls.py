"""The table of routes, one line each; a test checks that the documentation has every one."""

from django.urls import path
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularJSONAPIView

from . import instance, memories, observations, replay, searches
from .auth import HasSecret

schema = SpectacularJSONAPIView.as_view(permission_classes=[HasSecret], renderer_classes=[OpenApiJsonRenderer2])

urlpatterns = [
    path("livez", instance.Livez.as_view()),
    path("health", instance.Health.as_view()),
    path("config/flags", instance.Flags.as_view()),
    path("observe", observations.Observe.as_view()),
    path("session/start", observations.SessionStart.as_view()),
    path("session/end", observations.SessionEnd.as_view()),
    path("context", observations.Context.as_view()),
    path("sessions", observations.Sessions.as_view()),
    path("observations", observations.Observations.as_view()),
    path("search", searches.Search.as_view()),
    path("smart-search", searches.SmartSearch.as_view()),
    path("remember", memories.Remember.as_view()),
    path("forget", memories.Forget.as_view()),
    path("memories", memories.Memories.as_view()),
    path("memories/<path:memory_id>", memories.OneMemory.as_view()),
    path("replay/import-jsonl", replay.ImportTranscripts.as_view()),
    path("openapi.json", schema),
]
