#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line

from pyramid_server.env import SettingsError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    try:
        execute_from_command_line(sys.argv)
    except SettingsError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
