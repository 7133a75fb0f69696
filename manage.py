#!/usr/bin/env python
import sys

from pyramid_server.command_line import manage

if __name__ == "__main__":
    manage(sys.argv)
