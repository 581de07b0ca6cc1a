"""Pages."""

from django.templatetags.static import static
from django.urls import path
from django.views.generic import RedirectView
from django.views.i18n import set_language

from . import pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("unlock", pages.unlock, name="unlock"),
    path("lock", pages.lock, name="lock"),
    path("favicon.ico", RedirectView.as_view(url=static("viewer/icon.svg"))),  # what browsers ask for unasked
    path("language", set_language, name="set_language"),
]
