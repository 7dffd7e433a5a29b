#!/usr/bin/env python
"""Django's command line for this site: `python manage.py help` lists the commands."""

import gc
import os
import sys


def main() -> None:
    # A start makes many objects that stay: looking for garbage among them would take a tenth of it.
    gc.set_threshold(50_000, 20, 100)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:  # it may not be installed
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed here: see the README for the line that sets the site up.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Cannot start: {error}")


if __name__ == "__main__":
    main()
