from django.contrib.auth import logout
from django.http import FileResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.keys.refusals import SignInFailed
from games.personal_data import examples, wire
from games.personal_data.erasure import delete_own_account
from games.personal_data.exports import EXPORT_NAME, exported_file, find_export, request_export
from games.personal_data.refusals import UnknownExport
from games.personal_data.wire import DeleteInput
from games.players.endpoint import PlayersEndpoint
from games.runtime.clock import clock


class Export(PlayersEndpoint):
    @operation("read_export", Answer(examples.EXPORT), (*FOR_PLAYERS, UnknownExport))
    def get(self, request: Request) -> Response:
        """Read the progress of the copy of your data."""
        export = find_export(self.player)
        if export is None:
            raise UnknownExport("you have not asked for an export")
        return Response(wire.Export.of(export))

    @operation("request_export", Answer(examples.PENDING_EXPORT, 202), CHANGES, NothingInput)
    def post(self, request: Request) -> Response:
        """Ask for a copy of everything that is stored about you.

        The server makes it in the background. There is one at a time; a new one replaces the last, at most three times
        a day.
        """
        self.body(NothingInput)
        return Response(wire.Export.of(request_export(self.player, clock.now())), status=202)


class ExportedFile(PlayersEndpoint):
    @operation("download_export", Answer(media="application/zip"), (*FOR_PLAYERS, UnknownExport))
    def get(self, request: Request) -> FileResponse:
        """Download the copy of your data.

        A ZIP archive: `data.json` has what each table keeps about you, and `records/` a record of each game.
        """
        archive, headers = exported_file(self.player), {"Cache-Control": "no-store"}
        return FileResponse(archive, as_attachment=True, filename=EXPORT_NAME, headers=headers)


class DeleteAccount(PlayersEndpoint):
    @operation("delete_account", Answer(wire.Deleted("deleted-k2m8p1xz7f3q")), (*CHANGES, SignInFailed), DeleteInput)
    def post(self, request: Request) -> Response:
        """Delete your account and everything that identifies you.

        Unranked games are deleted; ranked ones stay under a made-up handle, because the ranks of others depend on them.
        """
        password = self.body(DeleteInput).password or ""
        erasure = delete_own_account(self.player, password, request._request, clock.now())
        logout(request._request)
        return Response(wire.Deleted(erasure.player.username if erasure.player else ""))


urlpatterns = [
    path("me/export/", Export.as_view(), name="export"),
    path("me/export/file/", ExportedFile.as_view(), name="exported-file"),
    path("me/delete/", DeleteAccount.as_view(), name="delete-account"),
]
