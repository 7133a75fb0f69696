"""An issuer of OpenID Connect on this machine, which may lie in every claim of its tokens."""

from __future__ import annotations

import json
import secrets
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

CLIENT = "pyramid"


class Issuer:
    """Confirms whatever a test says, once for each code, to whom shows the verifier of its challenge."""

    def __init__(self) -> None:
        self.key = self.signs_with = ECKey.generate_key("P-256", {"kid": "1", "use": "sig", "alg": "ES256"})
        self.lies: dict[str, Any] = {}
        self.address = ""
        self.is_forgetful = self.was_asked = False
        self.asked: dict[str, dict[str, str]] = {}

    def settings(self, name: str = "school", **given: str) -> dict[str, Any]:
        return {
            name: {"label": "Our school", "issuer": self.address, "client_id": CLIENT, "client_secret": "s"} | given
        }

    def confirm(self, address: str, subject: str) -> str:
        """Return where a visitor, who was sent here and proved who they are, is sent back to."""
        asked = dict(parse_qsl(urlsplit(address).query))
        code = secrets.token_hex(8)
        self.asked[code] = asked | {"sub": subject}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "id_token_signing_alg_values_supported": ["ES256"],
        }

    def token(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Return the tokens for a code, or None for an invalid one, or without its verifier."""
        self.was_asked = True
        asked = self.asked.get(form.get("code", ""))
        if asked and not self.is_forgetful:
            del self.asked[form["code"]]
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if asked is None or (asked["code_challenge"], asked["redirect_uri"]) != (challenge, form["redirect_uri"]):
            return None
        now = int(time.time())
        honest = {
            "iss": self.address,
            "sub": asked["sub"],
            "aud": CLIENT,
            "nonce": asked.get("nonce"),
            "iat": now,
            "exp": now + 60,
        }
        claims = {name: value for name, value in (honest | self.lies).items() if value is not None}
        signed = jwt.encode({"alg": "ES256", "kid": "1"}, claims, self.signs_with)
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": signed}


def running_issuer() -> Any:
    return _running(Issuer())


@contextmanager
def _running(issuer: Issuer) -> Iterator[Issuer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers = {
                "/.well-known/openid-configuration": issuer.configuration(),
                "/keys": {"keys": [issuer.key.as_dict(private=False)]},
            }
            self.answer(answers.get(self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(issuer.token({name: values[0] for name, values in parse_qs(body).items()}))

        def answer(self, value: Any) -> None:
            self.send_response(400 if value is None else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(value or {"error": "invalid_grant"}).encode())

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
