#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError

from pyramid_server.env import SettingsError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    try:
        execute_from_command_line(sys.argv)
    except SettingsError as error:
        sys.exit(str(error))
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"The database cannot be used: {str(error).strip().splitlines()[0]} (--traceback shows more)")
    except KeyboardInterrupt:
        sys.exit(130)
