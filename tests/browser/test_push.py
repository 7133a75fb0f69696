"""Notifications on this device, without a push service: switches, messages, clicks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import CDPSession, Page, Playwright, expect

from tests.browser.conftest import CHROMIUM, NewPage, listening, started
from tests.browser.player import open_practice, wait_until
from tests.games.push.service import Browser
from tests.journeys.conftest import Server

PAGE = "/account/notifications/devices/"
IS_READY = "navigator.serviceWorker.ready.then(() => true)"
SHOWN = """navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
    .then((all) => all.map((one) => [one.title, one.body, one.tag, one.data.page]))"""
DELIVERIES = 15
MESSAGE = {
    "title": "Pyramid",
    "body": "Bob has invited you.",
    "page": "/rules/giza/",
    "tag": "one",
    "language": "en",
}
# A push service within the page: subscriptions like those of a browser, and answers to the question for permission.
SERVICE = """(() => {
    window.asked = 0;
    let permission = "default", current = null;
    Object.defineProperty(Notification, "permission", { get: () => permission });
    Notification.requestPermission = async () => { asked += 1; return (permission = "%(answer)s"); };
    const subscription = %(subscription)s;
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async (options) => {
        window.options = options;
        return (current = {
            endpoint: subscription.endpoint,
            toJSON: () => ({ endpoint: subscription.endpoint, keys: subscription }),
            unsubscribe: async () => { current = null; return true; },
        });
    };
})();"""


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Chromium]:
    """Return a browser that shows notifications, which the shell without windows does not."""
    with started(playwright, CHROMIUM) as browser:
        yield browser


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page(service_workers="allow")


def with_service(page: Page, answer: str) -> None:
    subscription = json.dumps(Browser("https://fcm.googleapis.com/fcm/send/1").subscription)
    page.add_init_script(SERVICE % {"answer": answer, "subscription": subscription})


def settings_of(page: Page) -> Any:
    return page.evaluate("fetch('/api/me/push/').then((answer) => answer.json())")


def test_the_first_switch_asks_and_each_device_gets_what_is_on_also_when_the_push_service_exchanges_its_address(
    page: Page, complaints: list[str]
) -> None:
    with_service(page, "granted")
    open_practice(page)
    page.goto(PAGE)
    switch = page.get_by_role("switch", name="The day is open")
    expect(switch).to_be_enabled()
    switches = page.get_by_role("switch")
    assert not any(switches.nth(at).is_checked() for at in range(switches.count()))
    assert page.evaluate("asked") == 0
    switch.check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    settings = settings_of(page)
    assert [one["kinds"] for one in settings["subscriptions"]] == [["day"]]
    assert settings["quiet_hours"] == {"time_zone": "America/New_York", "begins": 22, "ends": 8}
    assert page.evaluate("options.applicationServerKey") == settings["server_key"]
    page.get_by_role("switch", name="Invitations to races").check()
    wait_until(
        page, "() => fetch('/api/me/push/').then((a) => a.json()).then((s) => s.subscriptions[0].kinds.length === 2)"
    )
    expect(switch).to_be_enabled()
    for name in ("The day is open", "Invitations to races"):
        page.get_by_role("switch", name=name).uncheck()
        expect(switch).to_be_enabled()
    wait_until(page, "() => fetch('/api/me/push/').then((a) => a.json()).then((s) => s.subscriptions.length === 0)")
    switch.check()
    wait_until(page, "() => fetch('/api/me/push/').then((a) => a.json()).then((s) => s.subscriptions.length === 1)")
    new = Browser("https://fcm.googleapis.com/fcm/send/2").subscription
    first, other = (f"https://fcm.googleapis.com/fcm/send/{number}" for number in (1, 9))
    for old, endpoint in ((other, first), (first, new["endpoint"])):
        exchange(page, old, new)
        found = [(one["endpoint"], one["kinds"]) for one in settings_of(page)["subscriptions"]]
        assert found == [(endpoint, ["day"])]
    assert complaints == []


def exchange(page: Page, old: str, new: dict[str, Any]) -> None:
    """Tell the script of the site, as a browser does, that the push service has exchanged an address."""
    [worker] = page.context.service_workers
    worker.evaluate(
        """([old, keys]) => new Promise((done) => {
            const event = new ExtendableEvent("pushsubscriptionchange");
            event.oldSubscription = { endpoint: old };
            event.newSubscription = { toJSON: () => ({ endpoint: keys.endpoint, keys }) };
            event.waitUntil = (renewed) => renewed.then(done);
            dispatchEvent(event);
        })""",
        [old, new],
    )


def test_a_refused_permission_and_a_browser_that_cannot_get_any_are_explained(
    page: Page, complaints: list[str]
) -> None:
    with_service(page, "denied")
    open_practice(page)
    page.goto(PAGE)
    switch = page.get_by_role("switch", name="The day is open")
    expect(switch).to_be_enabled()
    switch.click()
    expect(page.get_by_text("You have blocked notifications of this site.")).to_be_visible()
    expect(switch).not_to_be_checked()
    expect(switch).to_be_disabled()
    assert settings_of(page)["subscriptions"] == []
    page.add_init_script("delete window.PushManager;")
    devtools = page.context.new_cdp_session(page)
    for agent, sentence in (
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "only once this site is on its home screen"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "This browser cannot get notifications."),
    ):
        devtools.send("Emulation.setUserAgentOverride", {"userAgent": agent})
        page.reload()
        expect(page.get_by_text(sentence)).to_be_visible()
        expect(switch).to_be_disabled()
    assert complaints == []


def deliver(page: Page, devtools: CDPSession, registrations: list[str], message: dict[str, str]) -> None:
    """Deliver a message until it is shown: the browser drops without a word what comes before it is ready."""
    origin = page.evaluate("location.origin")
    for _ in range(DELIVERIES):
        data = {"origin": origin, "registrationId": registrations[-1], "data": json.dumps(message)}
        devtools.send("ServiceWorker.deliverPushMessage", data)
        for _ in range(10):
            page.wait_for_timeout(200)
            if message["body"] in [body for _, body, _, _ in page.evaluate(SHOWN)]:
                return
    raise AssertionError(f"never shown: {message}")


def test_a_message_is_shown_and_a_click_opens_its_page(
    whole_browser: Chromium, server: Server, complaints: list[str]
) -> None:
    page = listening(whole_browser.new_page(base_url=server.url), complaints)
    page.context.grant_permissions(["notifications"])
    found: list[str] = []
    devtools = page.context.new_cdp_session(page)
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(ids_of(event)))
    devtools.send("ServiceWorker.enable")
    page.goto("/practice/")
    assert page.evaluate(IS_READY)
    page.goto("/practice/")  # from now on with the script
    assert found
    for text in ("Carol has invited you.", MESSAGE["body"]):  # a later message of a tag replaces the first
        deliver(page, devtools, found, MESSAGE | {"body": text})
    assert page.evaluate(SHOWN) == [["Pyramid", "Bob has invited you.", "one", "/rules/giza/"]]
    click(page)
    page.wait_for_url("**/rules/giza/")
    assert complaints == []


def ids_of(event: Any) -> list[str]:
    return [one["registrationId"] for one in event["registrations"] if not one["isDeleted"]]


def click(page: Page) -> None:
    """Click the notification as the system does: tests cannot reach its window."""
    [worker] = page.context.service_workers
    worker.evaluate("""async () => {
        const [notification] = await registration.getNotifications();
        dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    }""")
