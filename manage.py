#!/usr/bin/env python
"""Django's command line; `everlore` is the same with a few shortcuts."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.settings")
    from django.core.management import execute_from_command_line

    from memory_core.cli import settings_from_flags

    settings_from_flags(sys.argv[1:])
    execute_from_command_line(sys.argv)
