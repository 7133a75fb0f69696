"""A client of the API that believes nothing: every answer it gets has to be one that the OpenAPI document announces."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.urls import Resolver404, resolve
from jsonschema_rs import Draft202012Validator
from knox.models import AuthToken
from rest_framework.test import APIClient

from games.players.models import Player
from pyramid_server.schema import document


class Api(APIClient):
    """A client of the REST API, of one player or of nobody."""

    def __init__(self, player: Player | None = None) -> None:
        super().__init__()
        self.player = player
        if player is not None:
            self.token: str = AuthToken.objects.create(player)[1]
            self.credentials(HTTP_AUTHORIZATION=f"Bearer {self.token}")

    def request(self, **kwargs: Any) -> Any:
        response = super().request(**kwargs)
        require_documented(kwargs["REQUEST_METHOD"], kwargs["PATH_INFO"], response)
        return response

    def post_raw(self, path: str, body: bytes, content_type: str = "application/json") -> Any:
        return self.generic("POST", path, body, content_type)  # type: ignore[arg-type]

    def start(self, kind: str = "practice", rules: str = "relaxed") -> str:
        """Start a game and return its id."""
        response = self.post("/api/games/", {"kind": kind, "rules": rules})
        assert response.status_code == 201, response.json()
        return str(response.json()["id"])

    def state(self, game: str) -> Any:
        return self.get(f"/api/games/{game}/state/").json()

    def act(self, game: str, version: object, action: object, **more: object) -> Any:
        """Take an action; before the first one, look at the layout."""
        if version == 0:
            self.state(game)
        return self.post(f"/api/games/{game}/actions/", {"version": version, "action": action, **more})

    def resign(self, game: str, version: int = 0) -> Any:
        return self.post(f"/api/games/{game}/resign/", {"version": version})


def refusal(response: Any) -> tuple[int, str]:
    """Return the status and the code of an error."""
    return response.status_code, response.json()["code"]


@cache
def openapi() -> dict[str, Any]:
    described: dict[str, Any] = json.loads(document())
    return described


def require_documented(method: str, path: str, response: Any) -> None:
    """Fail unless the document announces this answer, its shape and its code."""
    address, status = documented_path(path, response), str(response.status_code)
    operation = openapi()["paths"].get(address, {}).get(method.lower())
    if address is None or operation is None:
        assert response.status_code in {301, 404, 405}, f"{method} {path} is not documented"
        return
    where = f"{method} {path}: {response.status_code} {b'a file' if response.streaming else response.content!r}"
    assert status in operation["responses"], where
    if response.status_code == 304:
        assert response.content == b"", where
        return
    by_media = operation["responses"][status]["content"]
    if response["Content-Type"] in by_media and response["Content-Type"] != "application/json":
        return  # a file
    content = by_media["application/json"]
    assert response["Content-Type"] == "application/json", where
    _validator(address, method.lower(), status).validate(response.json())
    if response.status_code >= 400:
        codes = {example["value"]["code"] for example in content["examples"].values()}
        assert response.json()["code"] in codes, where


def _validator(address: str, method: str, status: str) -> Draft202012Validator:
    answer = openapi()["paths"][address][method]["responses"][status]
    return validator_of(answer["content"]["application/json"]["schema"])


def documented_path(path: str, response: Any) -> str | None:
    """Return the path as the document writes it, with `{game_id}` for a game's id."""
    try:
        match = response.wsgi_request.resolver_match or resolve(path)  # refused before it was resolved
    except Resolver404:
        return None
    for name, value in match.kwargs.items():
        path = path.replace(f"/{value}/", f"/{{{name}}}/")
    return path


def validator_of(schema: dict[str, Any]) -> Draft202012Validator:
    return _validator_of(json.dumps(schema))


@cache
def _validator_of(schema: str) -> Draft202012Validator:
    """Make the validator of a schema, which takes longer than to look at an answer; most errors have the same."""
    closed = as_json_schema(json.loads(schema))
    return Draft202012Validator({**closed, "components": _components()}, validate_formats=False)


@cache
def _components() -> Any:
    return as_json_schema(openapi()["components"])


def as_json_schema(schema: Any) -> Any:
    """Write OpenAPI 3.0's `nullable` in JSON Schema's words, and let no answer have fields that are not declared."""
    if isinstance(schema, list):
        return [as_json_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: as_json_schema(value) for name, value in schema.items() if name != "nullable"}
    if "properties" in plain:
        plain.setdefault("additionalProperties", False)
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain
