"""Addresses: the REST surface, the admin, the viewer."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("agentmemory/", include("api.urls")),
    path("admin/", admin.site.urls),
    path("", include("viewer.urls")),
]
handler400 = "api.errors.bad_request"
handler404 = "api.errors.not_found"
handler500 = "api.errors.server_error"
