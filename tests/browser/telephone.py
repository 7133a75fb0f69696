"""The telephone of a person who signs in with passkeys: Chromium's virtual authenticator."""

from typing import Any

from playwright.sync_api import CDPSession, Page

TELEPHONE: Any = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def with_telephone(page: Page) -> tuple[CDPSession, str]:
    """Give a page an authenticator that confirms whatever it is asked for, and return its session and number."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": TELEPHONE})
    return session, added["authenticatorId"]
