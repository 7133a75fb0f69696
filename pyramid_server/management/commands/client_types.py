"""Write the types of the clients."""

from typing import Any

from games.doors.commands import LightCommand
from pyramid_server.client_types import documents, files


class Command(LightCommand):
    help = "Write the types of messages and answers into the folder clients/, from docs/asyncapi.json and OpenAPI."

    def handle(self, **options: Any) -> None:
        for path, text in files(*documents()).items():
            path.write_text(text)
