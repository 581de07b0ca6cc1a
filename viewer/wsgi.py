"""WSGI entry: the Django side alone, for servers that speak only WSGI."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.settings")

application = get_wsgi_application()
