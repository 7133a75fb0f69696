"""Send what happens in a club to a Discord channel: `python club_feed.py http://host:port CLUB`, from a timer.

Set DISCORD_WEBHOOK to the address that Discord gives for the channel. The club's feed needs no account. Notices that
were sent are remembered in a file, so that none is sent twice; what could not be sent is sent the next time.
"""

import argparse
import json
import os
import re
import urllib.request
from http.client import HTTPException
from pathlib import Path
from xml.etree import ElementTree as ET

ATOM = "{http://www.w3.org/2005/Atom}"
LONGEST = 2000  # characters of a message of Discord


def notices_of(server: str, club: str, language: str) -> dict[str, str]:
    """Return the sentences of the feed by their ids, the oldest first."""
    headers = {"Accept-Language": language}
    with urllib.request.urlopen(urllib.request.Request(f"{server}/feeds/clubs/{club}/", headers=headers)) as answer:
        entries = ET.parse(answer).iter(f"{ATOM}entry")  # noqa: S314  of a server that you chose
    found = [(entry.findtext(f"{ATOM}id", ""), entry.findtext(f"{ATOM}title", "")) for entry in entries]
    return dict(reversed(found))


def plain(text: str) -> str:
    """Return a text in which nothing is markup: players choose their names."""
    return re.sub(r"([^\w\s]|_)", r"\\\1", text)


def messages_of(lines: list[str]) -> list[str]:
    """Join lines to as few messages as possible."""
    messages = [""]
    for line in lines:
        if len(messages[-1]) + len(line) >= LONGEST:
            messages.append("")
        messages[-1] += f"{line}\n"
    return [message for message in messages if message]


def send(channel: str, message: str) -> None:
    body = {"content": message, "allowed_mentions": {"parse": []}}
    headers = {"Content-Type": "application/json", "User-Agent": "pyramid-club-feed"}
    urllib.request.urlopen(urllib.request.Request(channel, json.dumps(body).encode(), headers), timeout=10).close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Send the notices of a club to a Discord channel.")
    parser.add_argument("server", help="the address of the server, for example http://127.0.0.1:8000")
    parser.add_argument("club", help="the identifier in the address of the club's page")
    parser.add_argument("--language", default="en", help="the language of the sentences, for example de")
    parser.add_argument("--sent", type=Path, default=Path("club_feed.json"), help="the file of what was sent")
    given = parser.parse_args()
    channel = os.environ.get("DISCORD_WEBHOOK") or parser.error("set DISCORD_WEBHOOK in the environment")
    try:
        notices = notices_of(given.server.rstrip("/"), given.club, given.language)
    except (OSError, ValueError, HTTPException, ET.ParseError) as error:
        raise SystemExit(f"{given.server} has no feed of the club {given.club}: {str(error).strip()}") from error
    sent = json.loads(given.sent.read_text()) if given.sent.exists() else []
    fresh = [plain(sentence) for notice, sentence in notices.items() if notice not in sent]
    try:
        for message in messages_of(fresh):
            send(channel, message)
    except (OSError, ValueError, HTTPException) as error:
        raise SystemExit(f"Discord did not take it, it is sent the next time: {error}") from error
    given.sent.write_text(json.dumps(list(notices)))
    print(f"{len(fresh)} sent")


if __name__ == "__main__":
    main()
