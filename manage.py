#!/usr/bin/env python
"""Django's command line; `everlore` is the same with a few shortcuts."""

import sys

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    from memory_core.cli import choose_settings, settings_from_flags

    choose_settings(sys.argv[1:])
    settings_from_flags(sys.argv[1:])
    execute_from_command_line(sys.argv)
