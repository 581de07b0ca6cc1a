"""Pages."""

from django.urls import path
from django.views.i18n import set_language

from . import pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("unlock", pages.unlock, name="unlock"),
    path("lock", pages.lock, name="lock"),
    path("language", set_language, name="set_language"),
]
