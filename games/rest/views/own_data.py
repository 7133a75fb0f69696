from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import SignInFailed, UnknownExport
from games.kit.downloads import ZIP, as_download
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.rest import account_schemas, examples
from games.rest.inputs.games import NothingInput
from games.rest.inputs.own_data import DeleteInput
from games.services.erasure import delete_own_account
from games.services.exports import EXPORT_NAME, exported_file, find_export, request_export


class Export(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("read_export", Answer(account_schemas.Export, examples.EXPORT), (*FOR_PLAYERS, UnknownExport))
    def get(self, request: Request) -> Response:
        """Read the progress of the copy of your data."""
        export = find_export(self.player)
        if export is None:
            raise UnknownExport("you have not asked for an export")
        return Response(account_schemas.Export.of(export))

    @operation("request_export", Answer(account_schemas.Export, examples.PENDING_EXPORT, 202), CHANGES, NothingInput)
    def post(self, request: Request) -> Response:
        """Ask for a copy of everything that is stored about you.

        The server makes it in the background. There is one at a time; a new one replaces the last, at most three times
        a day.
        """
        self.body(NothingInput)
        return Response(account_schemas.Export.of(request_export(self.player, timezone.now())), status=202)


class ExportedFile(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("download_export", Answer(None, None, media=ZIP), (*FOR_PLAYERS, UnknownExport))
    def get(self, request: Request) -> HttpResponse:
        """Download the copy of your data.

        A ZIP archive: `data.json` has what each table keeps about you, and `records/` a record of each game.
        """
        return as_download(exported_file(self.player), EXPORT_NAME)


class DeleteAccount(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "delete_account",
        Answer(account_schemas.Deleted, account_schemas.Deleted("deleted-k2m8p1xz7f3q")),
        (*CHANGES, SignInFailed),
        DeleteInput,
    )
    def post(self, request: Request) -> Response:
        """Delete your account and everything that identifies you.

        Unranked games are deleted; ranked ones stay under a made-up handle, because the ranks of others depend on them.
        """
        asked = self.body(DeleteInput)
        erasure = delete_own_account(self.player, asked.get("password", ""), request._request, timezone.now())
        logout(request._request)
        return Response(account_schemas.Deleted(erasure.player.username if erasure.player else ""))
