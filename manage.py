#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError

from pyramid_server.env import SettingsError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    try:
        execute_from_command_line(sys.argv)
    except SettingsError as error:
        sys.exit(str(error))
    except (OperationalError, ProgrammingError) as error:
        is_without_tables = "no such table" in str(error) or "does not exist" in str(error)
        if "--traceback" in sys.argv or not (is_without_tables or isinstance(error, OperationalError)):
            raise
        if is_without_tables:
            sys.exit("The database lacks tables: run manage.py migrate first (--traceback shows more)")
        sys.exit(f"The database cannot be used: {str(error).strip().splitlines()[0]} (--traceback shows more)")
    except KeyboardInterrupt:
        sys.exit(130)
