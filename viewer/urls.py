"""Pages."""

from django.urls import path

from . import pages

urlpatterns = [path("", pages.home, name="home")]
