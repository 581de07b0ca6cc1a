"""What pages get and REST answers do not: the reader's language, and a policy of what a browser may load."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

REST = "/agentmemory/"
"""Where the REST surface begins. Its words are the protocol's: clients read them, so they stay English."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Everything comes from this server; nothing inline runs, so that remembered text that slipped through an escape could
still do nothing. `data:` images: the small ones inside the admin's own style sheets."""


class PageLanguage(LocaleMiddleware):
    """Django's choice of a language (cookie, then the browser's), for pages only."""

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language; English for REST, whatever the client's headers say."""
        if request.path_info.startswith(REST):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say the language of a page."""
        return response if request.path_info.startswith(REST) else super().process_response(request, response)


def page_policy(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Add the content security policy to everything but REST answers."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not request.path_info.startswith(REST):
            response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return middleware
