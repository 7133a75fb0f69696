"""Check the daily deals of a server from outside: python verify_daily.py [http://host:port] [DAY] [--division open]

Fetches the chain of commitments and the seeds that have been revealed, and recomputes chain, commitments and decks by
the published recipe. Only the standard library is needed. Ends with status 1 if anything does not hold.
"""

import argparse
import hashlib
import hmac
import json
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]


def call(address: str) -> Any:
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def pages(server: str, path: str, name: str) -> Iterator[Any]:
    """Yield the entries of all pages of a list."""
    following: str | None = path
    while following:
        answer = call(server + following)
        yield from answer[name]
        following = answer["next"]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def name_of(daily: Any) -> str:
    return f"{daily['day']}|{daily['rules']}|{daily['division']}"


def deck_of(name: str, seed: bytes, candidate: int, size: int) -> str:
    """Shuffle one or two decks as the seed says."""
    cards = (CARDS + [card[0] + card[1].upper() for card in CARDS])[:size]
    stream = bytes_of(name, seed, candidate)
    for j in range(size - 1, 0, -1):
        byte = next(byte for byte in stream if byte < 256 - 256 % (j + 1))
        r = byte % (j + 1)
        cards[j], cards[r] = cards[r], cards[j]
    return "".join(cards)


def bytes_of(name: str, seed: bytes, candidate: int) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"deck|{name}|{candidate}|{block}".encode("ascii"), "sha256")
        block += 1


def wrong_links(chain: list[Any]) -> Iterator[str]:
    """Yield what is wrong with the chain."""
    link = "0" * 64
    for number, entry in enumerate(chain, start=1):
        link = sha256(f"{link}|{entry['commitment']}")
        if (entry["number"], entry["link"]) != (number, link):
            yield f"the chain is broken at number {number}, {name_of(entry)}"
            return


def wrong_deals(chain: list[Any], revealed: list[Any]) -> Iterator[str]:
    """Yield what is wrong with the deals whose seed is known."""
    committed = {name_of(entry): entry["commitment"] for entry in chain}
    for daily in revealed:
        name, reveal = name_of(daily), daily["reveal"]
        commitment = sha256(f"pyramid/daily/1|{name}|{reveal['seed']}")
        if not commitment == daily["commitment"] == committed.get(name):
            yield f"the seed of {name} is not the one that was committed to"
        seed, size = bytes.fromhex(reveal["seed"]), len(reveal["deck"]) // 2
        if reveal["deck"] != deck_of(name, seed, reveal["candidate"], size):
            yield f"the deck of {name} is not the one that its seed leads to"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check the daily deals of a server from outside.")
    parser.add_argument("server", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("day", nargs="?", help="such as 2026-11-20; every day if it is left out")
    parser.add_argument("--division", help="only deals of this division, main or open")
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    server = asked.server.rstrip("/")
    chain = list(pages(server, "/api/daily/commitments/", "commitments"))
    if asked.day:
        dailies = call(f"{server}/api/daily/{asked.day}/")["dailies"]
    else:
        dailies = list(pages(server, "/api/daily/history/", "dailies"))
    chosen = [daily for daily in dailies if asked.division in (None, daily["division"])]
    revealed = [daily for daily in chosen if daily["reveal"]]
    mistakes = [*wrong_links(chain), *wrong_deals(chain, revealed)]
    for mistake in mistakes:
        print(f"WRONG: {mistake}")
    print(f"{len(chain)} commitments in the chain, {len(revealed)} revealed deals checked, {len(mistakes)} mistakes.")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
