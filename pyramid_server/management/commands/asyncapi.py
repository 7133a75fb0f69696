"""Print the AsyncAPI document of the sockets."""

import json
from typing import Any

from games.doors.commands import LightCommand
from pyramid_server.asyncapi import asyncapi_document


class Command(LightCommand):
    help = "Print the AsyncAPI 3 document of the sockets as JSON, for docs/asyncapi.json."

    def handle(self, **options: Any) -> None:
        self.stdout.write(json.dumps(asyncapi_document(), indent=2, ensure_ascii=False))
