"""The instance itself: alive, healthy, switched how."""

from __future__ import annotations

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory_core.flows import health as flow
from memory_core.flows.embedding import configured_reason

from . import answers

VERSION = "0.9.29"
"""The version of the wire protocol that clients are told."""


def _ports() -> dict[str, object]:
    port = settings.EVERLORE["EVERLORE_PORT"]
    return {"viewerPort": port, "viewerSkipped": False, "streamsPort": port}


class Livez(APIView):
    """`GET /livez`: open to everybody."""

    permission_classes = ()

    @extend_schema(responses={200: answers.ALIVE, **answers.ERRORS}, auth=[])
    def get(self, request: Request) -> Response:
        """Whether this process answers."""
        return Response({"status": "ok", "service": "agentmemory", "implementation": "everlore", **_ports()})


class Health(APIView):
    """`GET /health`."""

    @extend_schema(responses={200: answers.HEALTHY, **answers.ERRORS, 503: answers.CRITICAL})
    def get(self, request: Request) -> Response:
        """How the instance is; 503 with the same body when it is critical."""
        snapshot = flow.snapshot()
        body = {
            "status": snapshot["status"],
            "service": "agentmemory",
            "implementation": "everlore",
            "version": VERSION,
            "health": snapshot,
            "functionMetrics": [],
            "circuitBreaker": None,
            **_ports(),
        }
        return Response(body, status=503 if snapshot["status"] == "critical" else 200)


class Flags(APIView):
    """`GET /config/flags`."""

    @extend_schema(responses={200: answers.FLAGS, **answers.ERRORS})
    def get(self, request: Request) -> Response:
        """Which optional parts are on."""
        none = settings.EVERLORE["EVERLORE_EMBEDDING_MODEL"].strip().lower() == "none" or configured_reason()
        return Response(
            {
                "version": VERSION,
                "provider": "noop",
                "embeddingProvider": "none" if none else "embeddings",
                "flags": flow.flags(),
            }
        )
