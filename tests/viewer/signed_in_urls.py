"""The product's addresses, and one that hands a browser the session of somebody who is signed in."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path

from memory_core import urls


def enter(request: HttpRequest, key: str) -> HttpResponse:
    """Take over the session `key`, in the language asked for, and go where the reader wants to."""
    response = HttpResponseRedirect(request.GET["next"])
    response.set_cookie(settings.SESSION_COOKIE_NAME, key)
    return response


urlpatterns = [path("enter/<str:key>", enter), *urls.urlpatterns]
handler400, handler404, handler500 = urls.handler400, urls.handler404, urls.handler500
