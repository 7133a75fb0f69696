"""Check the daily deals of a server from outside: python3 verify_daily.py [http://host:port] [DAY] [--division open]

Recomputes, by the published recipe (docs/proofs.md), the transparency log and the seeds, decks, grades and
choices of all days that are over, and with --game or --record a player's own result and the deal of its day; with
--proof and --keys it checks a proof of the transparency log (docs/transparency-log.md) offline. Needs only the standard
library and none of the server's code. Reports in CAPITAL WORDS whatever could not be checked.
Exits with status 0 if everything that was checked is right, 1 if anything is wrong, 2 if the rest could not be read.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple, TextIO

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
RANK = {letter: number for number, letter in enumerate("A23456789TJQK", start=1)}
ORDERS, STOCK = 24, 24
# The rule sets with unlimited passes, for which winnability needs no search. For each: whether covered pairs may leave,
# the least careless wins of an easy deal, and the number of careful wins below which a deal is hard.
EXACT = {"standard": (False, 17, 11), "covered-pairs": (True, 23, 20)}
# Every rule set, by what has to leave: only the tableau, all cards, or all cards of two decks.
TABLEAU_LEAVES = """cell covered-pairs dark-pyramid dark-pyramid-redeal face-up-stock king-tut no-waste open-pyramid
    relaxed seven-reserve single-pass standard three-piles tuts-tomb"""
ALL_LEAVE = """apophis cheops classic classic-overlap eleven-triangle giza par-pyramid pharaohs pyramid-dozen
    pyramid-thirteen triangle"""
TWO_DECKS_LEAVE = "double-pyramid two-pyramids up-and-down"
# For each, the number of cards that are dealt, and how many of them, from the first, have to leave.
SIZES = (
    dict.fromkeys(TABLEAU_LEAVES.split(), (52, 28))
    | dict.fromkeys(ALL_LEAVE.split(), (52, 52))
    | dict.fromkeys(TWO_DECKS_LEAVE.split(), (104, 104))
)
DIVISIONS, GRADES = ("main", "open"), ("easy", "medium", "hard")
HASH = re.compile("[0-9a-f]{64}")
EMPTY = hashlib.sha256().hexdigest()  # the root of a day without results
GRACE = timedelta(days=1, minutes=30)
SEALED_AFTER = 2  # days after a day is over; one of them is a day's grace for the server's worker
FORBIDDEN, TOO_MANY = 403, 429
SAFE = 2**53  # whole numbers from here on are not the same for all readers of JSON
MOST_ENTRIES, MOST_BYTES = 1_000_000, 64_000_000


class CannotVerify(Exception):
    """Nothing can be checked, because of the server or the arguments."""


# The seven rows of the pyramid as bits: which places lie on each place.
ROWS = [row for row in range(7) for _ in range(row + 1)]
COVERS = [0b11 << place + row + 1 if row < 6 else 0 for place, row in enumerate(ROWS)]
FULL = (1 << 28) - 1


def exposed(left: int) -> list[int]:
    return [place for place in range(28) if left >> place & 1 and not COVERS[place] & left]


def pairs(left: int, ranks: list[int], overlap: bool) -> Iterator[tuple[int, int]]:
    """Yield the places of two tableau cards that may leave together."""
    free = exposed(left)
    for place in free:
        for other in free:
            if place < other and ranks[place] + ranks[other] == 13:
                yield place, other
    if overlap:
        for place in range(28):
            on_it = COVERS[place] & left
            cover = on_it.bit_length() - 1
            if left >> place & 1 and on_it.bit_count() == 1 and cover in free and ranks[place] + ranks[cover] == 13:
                yield place, cover


def can_be_won(deck: list[str], overlap: bool) -> bool:
    """Decide a deal by the pairs of each kind that must leave inside the tableau; all other cards are at hand."""
    ranks = [RANK[card[0]] for card in deck]
    inside, outside = Counter(ranks[:28]), Counter(ranks[28:])
    kinds = [min(rank, 13 - rank) for rank in ranks]
    lack = [max(0, inside[rank] - outside[13 - rank]) for rank in range(13)]
    waiting = [(FULL, (0, *(max(lack[kind], lack[13 - kind]) for kind in range(1, 7))))]
    met = set()
    while waiting:
        left, needs = waiting.pop()
        while free := [place for place in exposed(left) if not needs[kinds[place]]]:
            left &= ~sum(1 << place for place in free)
        if not any(needs):
            return True
        still = Counter(ranks[place] for place in range(28) if left >> place & 1)
        if (left, needs) in met or any(min(still[kind], still[13 - kind]) < needs[kind] for kind in range(1, 7)):
            continue
        met.add((left, needs))
        waiting += [(left & ~(1 << place), needs) for place in exposed(left)]
        for place, other in pairs(left, ranks, overlap):
            kind = kinds[place]
            fewer = tuple(need - (number == kind) for number, need in enumerate(needs))
            waiting.append((left & ~(1 << place | 1 << other), fewer))
    return False


def shuffled(cards: list[str], stream: Iterator[int]) -> list[str]:
    order = list(cards)
    for j in range(len(order) - 1, 0, -1):
        r = next(byte for byte in stream if byte < 256 - 256 % (j + 1)) % (j + 1)
        order[j], order[r] = order[r], order[j]
    return order


def seed_bytes(seed: bytes, name: str, candidate: int) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"deck|{name}|{candidate}|{block}".encode("ascii"), "sha256")
        block += 1


def dice_of(text: str) -> Iterator[int]:
    block = text.encode("ascii")
    while True:
        block = hashlib.sha256(block).digest()
        yield from block


def deck_of(name: str, seed: bytes, candidate: int, size: int) -> list[str]:
    """Return the deck of a seed, shuffled from one or two decks."""
    cards = CARDS if size == 52 else CARDS + [card[0] + card[1].upper() for card in CARDS]
    return shuffled(cards, seed_bytes(seed, name, candidate))


Removal = tuple[str, int, int]  # its text, the places it empties, True if it takes the top of the waste


def removals(pyramid: list[str], left: int, top: str | None, overlap: bool) -> list[Removal]:
    """Return all removals, sorted by text: the lower rank first."""
    ranks = [RANK[card[0]] for card in pyramid]
    found: list[Removal] = []
    for place, other in pairs(left, ranks, overlap):
        first, second = sorted((pyramid[place], pyramid[other]), key=lambda card: RANK[card[0]])
        found.append((first + second, 1 << place | 1 << other, 0))
    for place in exposed(left):
        if ranks[place] == 13:
            found.append((pyramid[place], 1 << place, 0))
        elif top and RANK[top[0]] + ranks[place] == 13:
            first, second = sorted((pyramid[place], top), key=lambda card: RANK[card[0]])
            found.append((first + second, 1 << place, 1))
    if top and top[0] == "K":
        found.append((top, 0, 1))
    return sorted(found)


def is_win(deck: list[str], overlap: bool, dice: Iterator[int], careful: bool) -> bool:
    """Play a deal and return True if it is won: remove if possible, otherwise draw, until a pass brings nothing."""
    left, stock, idle = FULL, deck[28:], 0
    waste: list[str] = []
    while left:
        choice = removals(deck[:28], left, waste[-1] if waste else None, overlap)
        if idle > STOCK + 2 or not (choice or stock or waste):
            return False
        if not choice:
            idle += 1
            if stock:
                waste.append(stock.pop(0))
            else:
                waste, stock = [], waste
            continue
        idle = 0
        if careful:
            prospects = [(places.bit_count(), len(exposed(left & ~places))) for _, places, _ in choice]
            choice = [each for each, prospect in zip(choice, prospects, strict=True) if prospect == max(prospects)]
        _, places, takes_top = choice[next(dice) % len(choice)]
        left &= ~places
        if takes_top:
            waste.pop()
    return True


def grade_of(deck: list[str], rules: str) -> str:
    """Return the grade of a deal, by the wins of a careless and a careful player in random orders of its stock."""
    overlap, easy, hard = EXACT[rules]
    dice = dice_of(f"pyramid/grade/1|{rules}|{''.join(deck[:28])}{'??' * STOCK}")
    stock, careless, careful = sorted(deck[28:], key=CARDS.index), 0, 0
    for _ in range(ORDERS):
        drawn = deck[:28] + shuffled(stock, dice)
        careless += is_win(drawn, overlap, dice, careful=False)
        careful += is_win(drawn, overlap, dice, careful=True)
    return "hard" if careful < hard else "easy" if careless >= easy else "medium"


def read(address: str, tries: int = 60) -> bytes:
    """Return what is at an address; a server that answers too many requests with 429 is asked again when it says."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            data: bytes = answer.read(MOST_BYTES)
            return data
    except urllib.error.HTTPError as refused:
        refused.close()
        wait = refused.headers.get("Retry-After", "")
        if refused.code != TOO_MANY or not re.fullmatch("[0-9]{1,2}", wait) or tries == 1:
            raise
    sleep(int(wait))
    return read(address, tries - 1)


def parsed(text: str) -> Any:
    """Parse JSON as browsers do: 3.0 and 3e0 are the number 3, and there is no NaN."""
    return json.loads(text, parse_float=number_in, parse_constant=int)


def number_in(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


class Server:
    """A client of the server at an address. Raises `CannotVerify` if it does not answer properly."""

    def __init__(self, address: str) -> None:
        if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", address):
            raise CannotVerify(f"{address!r} is not an address like https://pyramid.example")
        self.address = address.rstrip("/")

    def get(self, path: str) -> Any:
        try:
            return parsed(self.text(path))
        except ValueError as error:
            raise CannotVerify(f"no answer to {self.address}{path}: {error}") from error

    def text(self, path: str) -> str:
        return self.data(path).decode("utf-8")

    def data(self, path: str) -> bytes:
        try:
            return read(self.address + path)
        except (OSError, HTTPException, ValueError) as error:
            raise CannotVerify(f"no answer to {self.address}{path}: {error}") from error


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def name_of(entry: Any) -> str:
    return f"{entry['day']}|{entry['rules']}|{entry['division']}"


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_time(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9-]{10}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z", text)) and is_day(text[:10])


def is_count(number: Any) -> bool:
    return type(number) is int and 0 <= number < SAFE


def entry_in(index: int, leaf: str) -> Any:
    """Return a commitment of the log with its fields by name; `awaits` is a round of a beacon, if the deal does."""
    _, day, rules, division, grade, made, commitment, *awaited = leaf.split("|")
    asked = None if grade == "any" else grade
    entry = {"number": index, "day": day, "rules": rules, "division": division, "grade": asked}
    awaits = (awaited[0], int(awaited[1])) if awaited else None
    return {**entry, "committed_at": made, "commitment": commitment, "awaits": awaits}


def commitments_in(leaves: list[str]) -> list[Any]:
    """Return the commitments of the log, in order, but for those that are not written as leaves."""
    committed = [(index, leaf) for index, leaf in enumerate(leaves) if leaf.startswith("pyramid/commitment/1|")]
    return [entry_in(index, leaf) for index, leaf in committed if is_leaf(leaf)]


def days_in(leaves: list[str]) -> dict[str, str]:
    """Return the leaves of the results of days by their days."""
    return {leaf.split("|")[1]: leaf for leaf in leaves if leaf.startswith("pyramid/results/2|") and is_leaf(leaf)}


class Beacon(NamedTuple):
    """A public beacon of randomness of drand, on whose rounds deals may depend: its parameters and its key."""

    first_at: int
    period: int
    chain: str
    key: str


BEACONS = {
    "quicknet": Beacon(
        1692803367,
        3,
        "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    )
}
FALLBACK = "fallback"
Round = tuple[str, int, str]  # a beacon, the number of its round, and its randomness, or that it came too late
Rounds = dict[tuple[str, str], Round]  # by day and rule set


def round_of(day: str, beacon: Beacon) -> int:
    """Return the first round of a beacon that is a minute before a day opens, or later."""
    since = int(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()) - 60 - beacon.first_at
    return -(-since // beacon.period) + 1


def time_of(number: int, beacon: Beacon) -> str:
    return datetime.fromtimestamp(beacon.first_at + (number - 1) * beacon.period, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def rounds_in(leaves: list[str]) -> Rounds:
    """Return the rounds of the log, by the days and rule sets whose deals depend on them."""
    told = [leaf.split("|") for leaf in leaves if leaf.startswith("pyramid/beacon/1|") and is_leaf(leaf)]
    return {(day, rules): (name, int(number), randomness) for _, day, rules, name, number, randomness in told}


def wrong_in_rounds(leaves: list[str], over: str) -> Iterator[str]:
    """Yield the mistakes in the rounds of a log: those that commitments name, and what followed."""
    commitments, rounds = commitments_in(leaves), rounds_in(leaves)
    waiting = [entry for entry in commitments if entry["awaits"]]
    for entry in waiting:
        (name, number), beacon = entry["awaits"], BEACONS[entry["awaits"][0]]
        found = rounds.get((entry["day"], entry["rules"]))
        if number != round_of(entry["day"], beacon):
            yield f"{name_of(entry)} depends on round {number} of {name}, which is not that of its day"
        elif entry["committed_at"] >= time_of(number, beacon):
            yield f"{name_of(entry)} was committed to when its round of {name} was known"
        if found is not None and found[:2] != entry["awaits"]:
            yield f"{name_of(entry)} was committed to with another round than the log has of its day"
        if found is None and entry["day"] <= over:
            yield f"the round of {name_of(entry)} is due and missing in the log"
    for day, rules in sorted(rounds.keys() - {(entry["day"], entry["rules"]) for entry in waiting}):
        yield f"the log has a round of {day}|{rules}, on which no deal depends"


def wrong_in_beacon(entry: Any, daily: Any, rounds: Rounds) -> Iterator[str]:
    """Yield the mistakes in what a day shows of the round of a deal, beside what the log has of it."""
    name, told, awaits = name_of(entry), daily.get("beacon"), entry.get("awaits")
    if not awaits:
        if told is not None:
            yield f"{name} shows a round of a beacon, and was committed to without one"
        return
    found = rounds.get((entry["day"], entry["rules"]))
    if found is None or found[:2] != awaits or told is None or (told["name"], told["round"]) != awaits:
        yield f"{name} does not show the round that it was committed to"
    elif found[2] == FALLBACK:
        if (told["state"], told["randomness"], told["signature"]) != (FALLBACK, None, None):
            yield f"{name} shows a round, and the log says that it came too late"
    elif told["state"] != "known":
        yield f"{name} says that its round came too late, and the log has it"
    elif not re.fullmatch("[0-9a-f]{96}", told["signature"]) or not (
        found[2] == told["randomness"] == hashlib.sha256(bytes.fromhex(told["signature"])).hexdigest()
    ):
        yield f"the randomness of {name} is not that of its round"


def is_of_beacon(name: str, number: int, signature: str, relay: str = "") -> bool | None:
    """Return True if a beacon has signed a round so, None if there is neither a relay to ask nor the package."""
    beacon = BEACONS[name]
    if relay:
        told = Server(relay).get(f"/{beacon.chain}/public/{number}")
        return bool((told["round"], told["signature"]) == (number, signature))
    try:
        from py_arkworks_bls12381 import GT, G1Point, G2Point  # noqa: PLC0415  few have it
    except ImportError:
        return None
    try:
        point = G1Point.from_compressed_bytes(bytes.fromhex(signature))
    except ValueError:
        return False
    digest = hashlib.sha256(number.to_bytes(8, "big")).digest()
    message = G1Point.hash_to_curve(digest, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_")
    return bool(
        GT.pairing_check([message, -point], [G2Point.from_compressed_bytes(bytes.fromhex(beacon.key)), G2Point()])
    )


def wrong_signatures(dailies: Iterable[Any], relay: str) -> Iterator[str]:
    """Yield the deals that show a round which is not their beacon's, and say if that was not checked."""
    shown = [(daily, daily["beacon"]) for daily in dailies if daily.get("beacon") and daily["beacon"]["signature"]]
    answers = {(told["name"], told["round"], told["signature"]): None for _, told in shown if told["name"] in BEACONS}
    checked = {asked: is_of_beacon(*asked, relay) for asked in answers}
    for daily, told in shown:
        if checked.get((told["name"], told["round"], told["signature"])) is False:
            yield f"the round of {name_of(daily)} is not signed by the beacon {told['name']}"
    if unchecked := sum(is_right is None for is_right in checked.values()):
        say(
            f"NOT CHECKED: WHETHER {unchecked} ROUNDS ARE THOSE OF THEIR BEACON. Install py-arkworks-bls12381, or ask "
            "a relay: --relay https://api.drand.sh"
        )


def wrong_in_leaves(leaves: list[str]) -> Iterator[str]:
    """Yield the mistakes in the leaves of a log, whatever its head is."""
    seen: set[str] = set()
    for index, leaf in enumerate(leaves):
        if not is_leaf(leaf):
            yield f"leaf {index} of the log is not written as documented: {leaf!r}"
            continue
        kind, *fields = leaf.split("|")
        subject = "|".join([kind, *fields[: SUBJECTS[kind]]])
        if subject in seen:
            yield f"leaf {index} of the log is the second one about {subject}"
        seen.add(subject)
    yield from wrong_in_commitments(commitments_in(leaves))
    before = ""
    for day, leaf in days_in(leaves).items():
        _, _, count, root = leaf.split("|")
        if day <= before or (root == EMPTY) != (count == "0"):
            yield f"the log has results that cannot be those of {day}"
        before = day


def wrong_in_commitments(commitments: list[Any]) -> Iterator[str]:
    """Yield the commitments that claim to be older than one before, or that are the ones to other deals."""
    seen: set[str] = set()
    before = ""
    for entry in commitments:
        if entry["commitment"] in seen:
            yield f"the commitment to {name_of(entry)} is the one to another deal again"
        if entry["committed_at"] < before:
            yield f"the log runs backwards at leaf {entry['number']}, {name_of(entry)}"
        seen.add(entry["commitment"])
        before = entry["committed_at"]


def left_out(commitments: list[Any], over: str) -> Iterator[str]:
    """Yield the days without a deal between the first commitment and the last, or the last day that is over."""
    days = {entry["day"] for entry in commitments}
    if not days:
        return
    after = date.fromisoformat(max(*days, over)).toordinal() + 1
    numbers = sorted(date.fromisoformat(day).toordinal() for day in days)
    for number, following in pairwise([*numbers, after]):
        if (missing := following - number - 1) > 0:
            first, last = date.fromordinal(number + 1), date.fromordinal(following - 1)
            which = f"{first} was" if missing == 1 else f"{first} to {last} were"
            yield f"{which} left out of the log: no deal of that day was committed to"


def unsealed(days: Iterable[str], sealed: Iterable[str], over: str) -> Iterator[str]:
    """Yield the days with deals whose results should be in the log, and are not."""
    last = str(date.fromisoformat(over) - timedelta(days=SEALED_AFTER))
    for day in sorted(set(days) - set(sealed)):
        if day <= last:
            yield f"the results of {day} are not sealed"


def wrong_in_deal(entry: Any, daily: Any, rounds: Rounds) -> Iterator[str]:
    """Yield the mistakes in a deal whose day is over; `entry` is its commitment in the log, which has `rounds`."""
    name, reveal = name_of(entry), daily["reveal"]
    if differs := [field for field in ("grade", "committed_at") if daily.get(field) != entry.get(field)]:
        yield f"the day shows another {' and another '.join(differs)} of {name} than the log"
    candidate, rules, grade = reveal["candidate"], entry["rules"], entry["grade"]
    commitment = sha256(f"pyramid/daily/1|{name}|{reveal['seed']}")
    is_seed = HASH.fullmatch(str(reveal["seed"]))
    if not is_seed or not commitment == daily["commitment"] == entry["commitment"]:
        yield f"the seed of {name} is not the one that was committed to"
        return
    if mistakes := list(wrong_in_beacon(entry, daily, rounds)):
        yield from mistakes
        return
    _, _, randomness = rounds[entry["day"], rules] if entry.get("awaits") else ("", 0, FALLBACK)
    mixed = reveal["seed"] if randomness == FALLBACK else sha256(f"pyramid/seed/3|{reveal['seed']}|{randomness}")
    seed = bytes.fromhex(mixed)
    if not is_count(candidate) or reveal["deck"] != "".join(deck_of(name, seed, candidate, SIZES[rules][0])):
        yield f"the deck of {name} is not the one that its seed leads to"
        return
    if rules in EXACT and candidate != first_fitting(name, seed, rules, grade, candidate):
        that = f"that can be won and is {grade}" if grade else "that can be won"
        yield f"the deck of {name} is not the first of its seed {that}"
    told = reveal.get("grade")
    if rules in EXACT and told is not None and told != grade_of(deck_of(name, seed, candidate, 52), rules):
        yield f"the deck of {name} is not {told}, as its day says"


def first_fitting(name: str, seed: bytes, rules: str, grade: str | None, revealed: int) -> int | None:
    """Return the first candidate that fits, None if that is not one up to the revealed."""
    for candidate in range(revealed + 1):
        deck = deck_of(name, seed, candidate, 52)
        if can_be_won(deck, EXACT[rules][0]) and (not grade or grade_of(deck, rules) == grade):
            return candidate
    return None


def told_of(server: Server, days: Iterable[str]) -> list[Any]:
    """Return the deals that a server shows of some days."""
    return [daily for day in sorted(days) for daily in server.get(f"/api/daily/{day}/")["dailies"]]


def wrong_deals(told: list[Any], leaves: list[str], due: list[Any], relay: str) -> Iterator[str]:
    """Yield the mistakes in what a server shows of days that are over; `due` are the commitments to their deals."""
    commitments, rounds = commitments_in(leaves), rounds_in(leaves)
    dailies = {name_of(daily): daily for daily in told}
    if len(dailies) < len(told):
        yield "a day has the same deal twice"
    for name in sorted(dailies.keys() - {name_of(entry) for entry in commitments}):
        yield f"{name} was left out of the log: its deal was not committed to"
    for entry in due:
        daily = dailies.get(name_of(entry))
        if daily is None or daily["reveal"] is None:
            yield f"the seed of {name_of(entry)} is due and missing"
        else:
            yield from wrong_in_deal(entry, daily, rounds)
    yield from wrong_signatures(told, relay)


def tree_root(leaf: bytes, index: int, count: int, path: list[bytes]) -> bytes | None:
    """Return the root to which a path leads from a leaf (RFC 9162, 2.1.3.2), None for a path of the wrong length."""
    if not (is_count(index) and is_count(count) and index < count):
        return None
    last, root, rest = count - 1, hashlib.sha256(b"\0" + leaf).digest(), list(path)
    while last:
        if index % 2 or index < last:
            if not rest:
                return None
            near = rest.pop(0)
            root = hashlib.sha256(b"\1" + (near + root if index % 2 else root + near)).digest()
        index, last = index // 2, last // 2
    return None if rest or index else root


Record = dict[str, str]  # the tags of a record, and as "Result" and "Log" what follows them


def cards_left(record: Record) -> int:
    """Return how many cards of the goal a record's actions leave, those that were undone left out."""
    done: list[str] = []
    undone: list[str] = []
    for action in (timed.split("@")[0] for timed in record["Log"].split()):
        if action == "U":
            undone.append(done.pop())
        elif action == "Y":
            done.append(undone.pop())
        elif action != "H":
            done.append(action)
            undone.clear()
    size, goal = SIZES[record["Rules"]]
    to_leave = re.findall("..", record["Deck"][: 2 * goal])
    removed = {card for action in done if len(action) % 2 == 0 for card in re.findall("..", action)}
    if len(record["Deck"]) != 2 * size:
        raise CannotVerify(f"the record has not the {size} cards of {record['Rules']}")
    return goal - len(removed.intersection(to_leave))


def line_of(record: Record) -> dict[str, str]:
    """Return the fields of the line with which a record's result is sealed."""
    actions = [timed.split("@") for timed in record["Log"].split()]
    left = cards_left(record)
    return {
        "kind": "pyramid/result/1",
        "day": record["Day"],
        "rule set": record["Rules"],
        "division": record["Division"],
        "game": record["Game"],
        "result": record["Result"].replace("won", "not won") if left else "won",
        "number of cards left": str(left),
        "number of moves": str(sum(action != "H" for action, _ in actions)),
        "time": actions[-1][1] if actions else "0",
        "log": sha256(record["Log"]),
    }


def wrong_in_line(leaf: str, record: Record) -> Iterator[str]:
    """Yield the fields of a sealed line that do not follow from a record."""
    played, sealed = line_of(record), leaf.split("|")
    if len(sealed) != len(played):
        yield f"the line of the game {record['Game']} has {len(sealed)} fields instead of {len(played)}"
        return
    for (field, value), found in zip(played.items(), sealed, strict=True):
        if value != found:
            yield f"the {field} of the game {record['Game']} is {value} in its record, and {found} was sealed"


def own_suits(deck: str, suits: str) -> str:
    """Return a deck with the suits of its deal: `suits` are what c, d, h and s of A, 2, 3 ... became in the game."""
    cards = []
    for rank, suit in re.findall("(.)(.)", deck):
        if rank == "?":
            cards.append("??")
            continue
        start = 4 * (RANK[rank] - 1)
        own = "cdhs"[suits.lower().index(suit.lower(), start, start + 4) - start]
        cards.append(rank + (own if suit.islower() else own.upper()))
    return "".join(cards)


def is_seen_of(deck: str, seen: str) -> bool:
    """Return True if a deck is another one in which some cards may be unseen."""
    cards, of = re.findall("..", seen), re.findall("..", deck)
    return len(seen) == len(deck) and all(card in ("??", other) for card, other in zip(cards, of, strict=True))


def name_of_deal(record: Record) -> str:
    return f"{record['Day']}|{record['Rules']}|{record['Division']}"


def wrong_in_cards(record: Record, dailies: list[Any]) -> Iterator[str]:
    """Yield a mistake if the cards of a record are not those of its day, rule set and division."""
    name = name_of_deal(record)
    decks = [daily["reveal"]["deck"] for daily in dailies if name_of(daily) == name and daily["reveal"]]
    played = own_suits(record["Deck"], record.get("Suits", "cdhs" * 13))
    if len(decks) != 1 or not is_seen_of(decks[0], played):
        yield f"the game {record['Game']} was not played with the cards of {name}"


def results_of(server: Server, day: str, most: int) -> Iterator[Any]:
    """Yield what a server shows of a sealed day, line by line, until it has shown more results than there are."""
    first, following = -1, 0
    while first < following <= most:
        first = following
        for line in server.text(f"/api/days/{day}/results/?first={first}").split("\n"):
            if line:
                yield (shown := parsed(line))
                following += shown["type"] == "result"


def wrong_in_results(day: str, lines: Iterable[Any], leaf: str, told: list[Any]) -> Iterator[str]:
    """Yield the mistakes in the results that a server shows of a sealed day; `told` are the deals of the day."""
    about, *results = lines
    sealed = [about["day"], str(about["count"]), root_over([result["leaf"] for result in results]).hex()]
    decks = {name_of(daily): (daily["reveal"]["seed"], daily["reveal"]["deck"]) for daily in told if daily["reveal"]}
    shown = {name_of(deal | {"day": day}): (deal["seed"], deal["deck"]) for deal in about["deals"]}
    if sealed != leaf.split("|")[1:] or about["root"] != sealed[2] or shown != decks:
        yield f"what the server shows of {day} are not the results that were sealed, or not on the deals of the day"
    for result in results:
        record = read_record(result["record"])
        fields = ("rules", "division", "game", "result", "cards_left", "moves", "elapsed_ms")
        if result["leaf"].split("|")[1:9] != [day, *(str(result[field]) for field in fields)]:
            yield f"the game {record['Game']} has another result than the line with which it was sealed"
        yield from wrong_in_line(result["leaf"], record)
        yield from wrong_in_cards(record, told)


# Ed25519 (RFC 8032, 5.1.7), slowly: the standard library has no signatures.
PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, PRIME) % PRIME
Point = tuple[int, int, int, int]


def added(one: Point, other: Point) -> Point:
    (x, y, z, t), (u, v, w, s) = one, other
    a, b = (y - x) * (v - u) % PRIME, (y + x) * (v + u) % PRIME
    c, d = 2 * t * s * CURVE_D % PRIME, 2 * z * w % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def times(number: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = added(total, point)
        point, number = added(point, point), number >> 1
    return total


def point_of(data: bytes) -> Point | None:
    """Return the point that 32 bytes are, None if they are not one."""
    y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if y >= PRIME or (x * x - square) % PRIME or (x == 0 and sign):
        return None
    x = PRIME - x if x & 1 != sign else x
    return x, y, 1, x * y % PRIME


def is_signed(public: bytes, signature: bytes, text: bytes) -> bool:
    key, first = point_of(public), point_of(signature[:32])
    number = int.from_bytes(signature[32:], "little")
    base = point_of((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
    if key is None or first is None or base is None or number >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + text).digest()
    x, y, z, _ = times(number, base)
    u, v, w, _ = added(first, times(int.from_bytes(digest, "little") % ORDER, key))
    return (x * w - u * z) % PRIME == 0 and (y * w - v * z) % PRIME == 0


LOG, WITNESS = 1, 4  # the types of keys
MOST_SIGNATURES = 40
PREDECESSOR = "pyramid/predecessor/1"
LEAVES = {
    "pyramid/commitment/1": "DAY|RULES|DIVISION|GRADE|TIME|HASH",
    "pyramid/beacon/1": "DAY|RULES|BEACON|COUNT|RANDOM",
    "pyramid/results/2": "DAY|COUNT|HASH",
    "pyramid/decision/2": "COUNT|HASH",
    "pyramid/key/1": "HASH",
    "pyramid/predecessor/1": "ORIGIN|COUNT|HASH",
}


def is_leaf(text: str) -> bool:
    """Return True if a leaf of the log is written in the only way there is."""
    kind, *fields = text.split("|")
    forms = LEAVES.get(kind, "").split("|")
    if kind == "pyramid/commitment/1" and len(fields) > len(forms):
        forms += ["BEACON", "COUNT"]  # on whose round the deal depends
    holds: dict[str, Callable[[str], object]] = {
        "DAY": is_day,
        "RULES": lambda name: name in SIZES,
        "DIVISION": lambda name: name in DIVISIONS,
        "GRADE": lambda grade: grade in (*GRADES, "any"),
        "TIME": is_time,
        "HASH": HASH.fullmatch,
        "BEACON": lambda name: name in BEACONS,
        "RANDOM": lambda text: text == FALLBACK or HASH.fullmatch(text),
        "COUNT": re.compile("0|[1-9][0-9]{0,14}").fullmatch,
        "ORIGIN": re.compile("[a-z0-9][a-z0-9.:-]*(/[a-z0-9][a-z0-9.-]*)*").fullmatch,
    }
    return len(forms) == len(fields) and all(holds[form](field) for form, field in zip(forms, fields, strict=True))


class Key(NamedTuple):
    """A key of the log, or of a witness, that the user trusts."""

    name: str
    id: bytes
    type: int
    public: bytes

    @classmethod
    def from_text(cls, text: str) -> "Key":
        name, identifier, data = text.split("+", 2)
        raw = base64.b64decode(data, validate=True)
        key = cls(name, bytes.fromhex(identifier), raw[0], raw[1:])
        if key.id != hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4] or len(raw) != 33:
            raise ValueError(f"{text!r} is not a key")
        return key


SUBJECTS = dict.fromkeys(LEAVES, 1) | {"pyramid/commitment/1": 3, "pyramid/beacon/1": 2}


class LogHead(NamedTuple):
    """The head of a log with the signatures below it."""

    text: str
    signatures: list[tuple[str, bytes, bytes]]

    @classmethod
    def from_text(cls, text: str) -> "LogHead":
        """Read a checkpoint. Raises ValueError."""
        body, signed = text.split("\n\n")
        lines = signed.split("\n")
        if lines.pop() or len(lines) > MOST_SIGNATURES or body.count("\n") != 2:
            raise ValueError("this is not a signed head of a log")
        return cls(f"{body}\n", [signature_in(line) for line in lines])

    @property
    def origin(self) -> str:
        return self.text.split("\n")[0]

    @property
    def size(self) -> int:
        return index_in(f"index {self.text.split(chr(10))[1]}")

    @property
    def root(self) -> bytes:
        (root,) = hashes_in([self.text.split("\n")[2]])
        return root


class LogProof(NamedTuple):
    """A proof that a leaf is in the log; `inner` has the lines that lead from a game's result to that leaf."""

    leaf: str
    inner: list[str]
    place: int
    path: list[bytes]
    head: LogHead

    @classmethod
    def from_text(cls, text: str) -> "LogProof":
        """Read a proof. Raises ValueError."""
        proof, _, head = text.partition("\n\n")
        kind, extra, index, *path = proof.split("\n")
        leaf, *inner = decoded(extra.removeprefix("extra ")).decode("ascii").split("\n")
        if kind != "c2sp.org/tlog-proof@v1" or inner.pop():
            raise ValueError("its parts are missing or of another version")
        return cls(leaf, inner, index_in(index), hashes_in(path), LogHead.from_text(head))


def decoded(text: str) -> bytes:
    """Return the bytes of base64 that is written in the only way there is. Raises ValueError."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError(f"{text!r} is not base64")
    return data


def index_in(line: str) -> int:
    if not (found := re.fullmatch("index (0|[1-9][0-9]{0,14})", line)):
        raise ValueError(f"{line!r} is not an index")
    return int(found[1])


def hashes_in(lines: list[str]) -> list[bytes]:
    hashes = [decoded(line) for line in lines]
    if any(len(each) != 32 for each in hashes):
        raise ValueError("a hash has 32 bytes")
    return hashes


def signature_in(line: str) -> tuple[str, bytes, bytes]:
    if not (found := re.fullmatch(r"— (\S+) (\S+)", line)):
        raise ValueError(f"{line!r} is not a signature")
    data = decoded(found[2])
    return found[1], data[:4], data[4:]


def has_signed(key: Key, head: str, data: bytes) -> bool:
    if key.type == WITNESS:
        signed = f"cosignature/v1\ntime {int.from_bytes(data[:8], 'big')}\n{head}"
        return len(data) == 72 and is_signed(key.public, data[8:], signed.encode())
    return len(data) == 64 and is_signed(key.public, data, head.encode())


def signers(head: LogHead, keys: list[Key]) -> dict[Key, bool]:
    """Return the keys whose signatures are below a head, and whether each signature is right."""
    found: dict[Key, bool] = {}
    for name, identifier, data in head.signatures:
        for key in keys:
            if (key.name, key.id) == (name, identifier):
                found[key] = found.get(key, True) and has_signed(key, head.text, data)
    return found


def wrong_in_log_proof(proof: LogProof, keys: list[Key], wanted: int) -> Iterator[str]:
    """Yield the mistakes in a proof that a leaf is in the log; so many of the witnesses have to have signed."""
    head = proof.head
    if not is_leaf(proof.leaf):
        yield f"{proof.leaf!r} is not written as a leaf of the log"
    if tree_root(proof.leaf.encode(), proof.place, head.size, proof.path) != head.root:
        yield "the leaf does not lead to the head of the log"
    yield from wrong_in_head(head, keys, wanted)


def wrong_in_signatures(head: LogHead, found: dict[Key, bool]) -> Iterator[str]:
    """Yield the mistakes in the signatures that were found below a head."""
    for key in (key for key, is_right in found.items() if not is_right):
        yield f"the signature of {key.name} is wrong"
    if not any(key.type == LOG and key.name == head.origin and found[key] for key in found):
        yield f"no key of the log {head.origin} that you trust has signed its head"


def wrong_in_head(head: LogHead, keys: list[Key], wanted: int) -> Iterator[str]:
    """Yield the mistakes in the signatures of a head, and print which witnesses have signed it."""
    found = signers(head, keys)
    yield from wrong_in_signatures(head, found)
    witnesses = {key.name for key, is_right in found.items() if key.type == WITNESS and is_right}
    if len(witnesses) < wanted:
        yield f"{len(witnesses)} witnesses that you trust have signed, and {wanted} were asked for"
    for name in sorted(witnesses):
        say(f"Signed by the witness {name}.")
    if not witnesses:
        say("NOT CHECKED: WHETHER OTHERS SEE THE SAME LOG, because no witness that you trust has signed it.")


def leaves_of(server: Server, head: LogHead) -> list[str]:
    """Return all leaves below a head. Raises `CannotVerify`."""
    leaves: list[str] = []
    if head.size > MOST_ENTRIES:
        raise CannotVerify(f"the log of {server.address} has more than {MOST_ENTRIES} leaves")
    while len(leaves) < head.size:
        width = min(256, head.size - len(leaves))
        data = server.data(f"/tlog/tile/entries/{in_groups(len(leaves) // 256)}{f'.p/{width}' if width < 256 else ''}")
        found: list[str] = []
        while data and len(found) <= width:
            size = int.from_bytes(data[:2], "big")
            found.append(data[2 : 2 + size].decode("ascii"))
            data = data[2 + size :]
        if len(found) != width:
            raise CannotVerify(f"the leaves of {server.address} after {len(leaves)} are not {width}")
        leaves += found
    return leaves


def in_groups(number: int) -> str:
    groups: list[str] = re.findall("...", f"{number:015}")
    while len(groups) > 1 and groups[0] == "000":
        groups.pop(0)
    return "".join(f"x{group}/" for group in groups[:-1]) + groups[-1]


def root_over(leaves: list[str]) -> bytes:
    row = [hashlib.sha256(b"\0" + leaf.encode("ascii")).digest() for leaf in leaves]
    while len(row) > 1:
        pairs = zip(row[::2], row[1::2], strict=False)
        row = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs] + row[len(row) // 2 * 2 :]
    return row[0] if row else hashlib.sha256().digest()


def continues(leaves: list[str], old: LogHead) -> bool:
    return old.size <= len(leaves) and root_over(leaves[: old.size]) == old.root


def wrong_in_log(leaves: list[str], head: LogHead, kept: list[LogHead]) -> Iterator[str]:
    """Yield the mistakes in a log beside its head, and beside heads that somebody kept, also of logs before it."""
    if root_over(leaves) != head.root:
        yield "the leaves of the log do not lead to its signed head"
    for old in kept:
        if old.origin != head.origin and not any(leaf.startswith(f"{PREDECESSOR}|{old.origin}|") for leaf in leaves):
            yield f"the log {head.origin} does not name {old.origin}, of which you kept a head"
        elif not continues(leaves, old):
            yield f"the log does not continue the head of {old.size} leaves of {old.origin} that you kept"
    yield from wrong_in_leaves(leaves)


def wrong_in_inner(proof: LogProof) -> Iterator[str]:
    """Yield the mistakes in what leads from the line of a game to the leaf of its day."""
    if not (proof.leaf.startswith("pyramid/results/2|") and is_leaf(proof.leaf) and proof.inner[1:]):
        yield f"this is the proof of {proof.leaf!r}, and not of a result of a day"
        return
    line, index, *path = proof.inner
    _, day, count, root = proof.leaf.split("|")
    reached = tree_root(line.encode("ascii"), index_in(index), int(count), hashes_in(path))
    if line.split("|")[:2] != ["pyramid/result/1", day]:
        yield f"{line!r} is not a result of the day of its leaf"
    if (reached or b"").hex() != root:
        yield "the line of the game does not lead to the root of its day"


def wrong_in_result(proof: LogProof, game: str, record: Record, keys: list[Key], wanted: int) -> Iterator[str]:
    """Yield the mistakes in the proof of a game's result beside its record, and print what it is."""
    if record["Game"] != game:
        yield f"the record is that of the game {record['Game']} instead of {game}"
        return
    yield from wrong_in_log_proof(proof, keys, wanted)
    if mistakes := list(wrong_in_inner(proof)):
        yield from mistakes
        return
    yield from wrong_in_line(proof.inner[0], record)
    line = line_of(record)
    left, moves, elapsed = line["number of cards left"], line["number of moves"], line["time"]
    say(
        f"Game {game}: {line['result']}, {left} cards left, {moves} moves, {elapsed} ms, "
        f"one of {proof.leaf.split('|')[2]} of {record['Day']}."
    )


def verify_result(server: Server, game: str, record: Record, keys: list[Key], asked: argparse.Namespace) -> int:
    """Check the result of a game, the deal that it was played on, and the log that has both."""
    proof = LogProof.from_text(server.text(f"/tlog/proof/games/{game}"))
    shown = LogHead.from_text(server.text("/tlog/checkpoint"))
    older, newer = sorted([proof.head, shown], key=lambda head: head.size)
    leaves, told = leaves_of(server, newer), told_of(server, [record["Day"]])
    due = [entry for entry in commitments_in(leaves) if name_of(entry) == name_of_deal(record)]
    mistakes = report(wrong_in_result(proof, game, record, keys, asked.witnesses))
    mistakes += report(wrong_in_signatures(shown, signers(shown, keys)))
    mistakes += report(wrong_in_log(leaves, newer, [kept_head(path) for path in asked.checkpoint]))
    if not continues(leaves, older):
        mistakes += report(iter(["the log that the server shows is not the one of the proof"]))
    mistakes += report(wrong_in_rounds(leaves, record["Day"]))
    mistakes += report(wrong_deals(told, leaves, due, asked.relay)) + report(wrong_in_cards(record, told))
    for note in [*notes(due, due, asked), *fallbacks(due, rounds_in(leaves))]:
        say(note)
    print(f"{mistakes} mistakes.")
    return mistakes


def kept_keys(path: str) -> list[Key]:
    try:
        return [Key.from_text(line) for line in Path(path).read_text("utf-8").split()]
    except (OSError, ValueError, IndexError) as error:
        raise CannotVerify(f"the keys in {path} cannot be read: {error}") from error


def shown_keys(server: Server) -> list[Key]:
    """Return the keys of its log that a server shows; a witness that it names itself is nobody whom the user trusts."""
    keys = [Key.from_text(line) for line in server.text("/tlog/keys").split()]
    return [key for key in keys if key.type == LOG]


def kept_head(path: str) -> LogHead:
    try:
        head = LogHead.from_text(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CannotVerify(f"the head in {path} cannot be read: {error}") from error
    if head.size < 0 or not head.root:
        raise CannotVerify(f"the head in {path} is empty")
    return head


def verify_proof(asked: argparse.Namespace) -> int:
    """Check a proof that was kept, without the server, and return the number of mistakes."""
    if not asked.keys:
        raise CannotVerify("a proof is checked with keys that you trust: --keys FILE, a copy of /tlog/keys")
    try:
        proof = LogProof.from_text(Path(asked.proof).read_bytes().decode("utf-8"))
    except (OSError, ValueError) as error:
        raise CannotVerify(f"the proof cannot be read: {error}") from error
    keys = kept_keys(asked.keys)
    if not keys:
        raise CannotVerify(f"{asked.keys} has no keys")
    mistakes = report(wrong_in_log_proof(proof, keys, asked.witnesses))
    if proof.inner:
        mistakes += report(wrong_in_inner(proof))
    if asked.record:
        record = kept_record(asked.record)
        mistakes += report(wrong_in_line(proof.inner[0] if proof.inner else "", record))
        say("NOT CHECKED: WHETHER THE CARDS ARE THOSE OF THE DAY. Ask the server: --record without --proof.")
    elif proof.inner:
        say("NOT CHECKED: WHETHER THE RESULT FOLLOWS FROM THE MOVES. Pass the record that you kept as --record.")
    say(f"Leaf {proof.place} of {proof.head.size}: {proof.leaf}")
    if proof.inner:
        say(f"Result: {proof.inner[0]}")
    print(f"{mistakes} mistakes.")
    return mistakes


def read_record(text: str) -> Record:
    """Return the tags of the record of a ranked game, its result and its log."""
    tags = re.findall(r'^\[(\w+) "([^"]*)"\]', text, re.MULTILINE)
    record: Record = dict(tags)
    if len(record) < len(tags):
        raise CannotVerify("this is not a record: it has a tag twice")
    *actions, result = re.sub(r"(?m)^\[.*$", "", text).split() or [""]
    record |= {"Result": result, "Log": " ".join(actions)}
    missing = [tag for tag in ("Game", "Rules", "Deck", "Day", "Division") if tag not in record]
    if missing or not all(re.fullmatch("[A-Za-z0-9]+@[0-9]+", action) for action in actions):
        raise CannotVerify(f"this is not the record of a ranked game (no tag {', '.join(missing) or 'is missing'})")
    if record["Rules"] not in SIZES or not re.fullmatch("[a-z0-9]+", record["Game"]) or not is_day(record["Day"]):
        raise CannotVerify("this is not the record of a ranked game: rule set, day or game has no such name")
    return record


def kept_record(path: str) -> Record:
    try:
        return read_record(Path(path).read_text("ascii"))
    except (OSError, ValueError) as error:
        raise CannotVerify(f"{path} cannot be read: {error}") from error


def notes(commitments: list[Any], due: list[Any], asked: argparse.Namespace) -> Iterator[str]:
    """Yield remarks about anything that was not checked or is worth knowing."""
    if not asked.checkpoint:
        yield "NOT CHECKED: WHETHER THE WHOLE LOG WAS EXCHANGED. Keep /tlog/checkpoint, and pass it as --checkpoint."
    if not asked.keys:
        yield "NOT CHECKED: WHETHER THE KEYS ARE THOSE THAT OTHERS SEE. Keep /tlog/keys, and pass it as --keys."
    for rules, count in sorted(Counter(entry["rules"] for entry in due if entry["rules"] not in EXACT).items()):
        unknown = "WERE THE FIRST THAT FIT (A SEARCH), AND THEIR GRADES"
        yield f"NOT CHECKED: WHETHER THE DECKS OF {count} DEALS OF {rules.upper()} {unknown}."
    late = [entry for entry in commitments if entry["committed_at"] >= f"{entry['day']}T00:00:00Z"]
    if late:
        yield f"{len(late)} deals WERE COMMITTED TO ONLY WHEN THEIR DAY HAD BEGUN, such as {name_of(late[0])}."


def fallbacks(due: list[Any], rounds: Rounds) -> Iterator[str]:
    """Yield a remark about deals whose round came too late: it is honest, and should be rare."""
    late = [e for e in due if e["awaits"] and rounds.get((e["day"], e["rules"]), ("", 0, ""))[2] == FALLBACK]
    if late:
        first = name_of(late[0])
        yield f"{len(late)} deals FELL BACK TO THEIR SEED ALONE, such as {first}: the server knew them before."


def a_day(text: str) -> str:
    if not is_day(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-11-20")
    return text


def a_time(text: str) -> datetime:
    if not is_time(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 2026-11-22T00:30:00Z")
    return datetime.fromisoformat(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check the daily deals of a server from outside.")
    parser.add_argument("server", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("day", nargs="?", type=a_day, help="such as 2026-11-20; every day if it is left out")
    parser.add_argument("--division", choices=["main", "open"], help="only deals of this division")
    parser.add_argument(
        "--checkpoint", action="append", default=[], metavar="FILE", help="a copy of /tlog/checkpoint kept earlier"
    )
    parser.add_argument("--relay", default="", help="compare rounds of a beacon with this one, https://api.drand.sh")
    parser.add_argument("--at", type=a_time, help="check as at another time, such as 2026-11-22T00:30:00Z")
    parser.add_argument("--game", help="check the result of this game by the record that the server shows")
    parser.add_argument("--record", metavar="FILE", help="check the result of the game in a record that you kept")
    parser.add_argument("--proof", metavar="FILE", help="check a proof that you kept, without the server")
    parser.add_argument("--keys", metavar="FILE", help="the keys of the log and of witnesses that you trust")
    parser.add_argument("--witnesses", type=int, default=0, help="how many witnesses have to have signed a proof")
    asked = parser.parse_intermixed_args()
    if asked.proof and (asked.day or asked.division or asked.checkpoint or asked.relay or asked.at or asked.game):
        parser.error("a proof is checked without the server: only --keys, --record and --witnesses go with --proof")
    if (asked.game or asked.record) and (asked.day or asked.division or asked.at or (asked.game and asked.record)):
        parser.error("give a day, a --game or a --record: each of them is checked alone")
    return asked


def say(text: str, file: TextIO | None = None) -> None:
    """Print a line without what would move a terminal's cursor: a server could delete the lines about its mistakes."""
    print("".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text), file=file)


MISTAKES: list[str] = []  # all that were printed: one is enough, even if what comes after it cannot be read


def report(mistakes: Iterator[str]) -> int:
    """Print mistakes as they are found, and return their number."""
    before = len(MISTAKES)
    for mistake in mistakes:
        say(f"WRONG: {mistake}")
        MISTAKES.append(mistake)
    return len(MISTAKES) - before


def shown_record(server: Server, game: str) -> Any:
    """Return the record of a game as the server shows it to everyone."""
    try:
        return server.get(f"/api/games/{game}/record/")["record"]
    except CannotVerify as error:
        if getattr(error.__cause__, "code", None) != FORBIDDEN:
            raise
        hint = "of a daily deal that is after its day; before, give your own copy with --record"
        raise CannotVerify(f"the server does not show the record of {game} to everyone yet: {hint}") from error


def verify(asked: argparse.Namespace) -> int:
    """Check everything requested, and return the number of mistakes."""
    if asked.proof:
        return verify_proof(asked)
    server = Server(asked.server)
    keys = kept_keys(asked.keys) if asked.keys else shown_keys(server)
    if asked.record:
        record = kept_record(asked.record)
        return verify_result(server, record["Game"], record, keys, asked)
    if asked.game:
        return verify_result(server, asked.game, read_record(shown_record(server, asked.game)), keys, asked)
    head, kept = LogHead.from_text(server.text("/tlog/checkpoint")), [kept_head(path) for path in asked.checkpoint]
    leaves = leaves_of(server, head)
    mistakes = report(wrong_in_head(head, keys, asked.witnesses)) + report(wrong_in_log(leaves, head, kept))
    commitments = commitments_in(leaves)
    over = ((asked.at or datetime.now(UTC)) - GRACE).date().isoformat()
    mistakes += report(left_out(commitments, over)) + report(wrong_in_rounds(leaves, over))
    due = [entry for entry in commitments if entry["day"] <= over]
    due = [entry for entry in due if asked.day in (None, entry["day"]) and asked.division in (None, entry["division"])]
    days = {entry["day"] for entry in due} | ({asked.day} if asked.day and asked.day <= over else set())
    told, sealed = told_of(server, days), days_in(leaves)
    mistakes += report(wrong_deals(told, leaves, due, asked.relay))
    if asked.day in sealed:
        lines = results_of(server, asked.day, int(sealed[asked.day].split("|")[2]))
        mistakes += report(wrong_in_results(asked.day, lines, sealed[asked.day], told))
    elif sealed and not asked.day:
        say("NOT CHECKED: WHETHER THE RESULTS THAT THE SERVER SHOWS ARE THOSE THAT WERE SEALED. Name a day.")
    mistakes += report(unsealed({entry["day"] for entry in due}, sealed, over))
    for note in [*notes(commitments, due, asked), *fallbacks(due, rounds_in(leaves))]:
        say(note)
    if not due:
        print(f"NOT CHECKED: ANY DEAL, because {'that day' if asked.day else 'no day'} has a deal whose time is over.")
    print(f"{len(leaves)} leaves in the log, {len(due)} deals of past days checked, {mistakes} mistakes.")
    return mistakes


def main() -> int:
    try:
        return 1 if verify(arguments()) else 0
    except CannotVerify as error:
        reason = str(error)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        reason = f"what was read is not written as documented ({error!r})"
    say(f"{'THE REST WAS NOT CHECKED' if MISTAKES else 'NOTHING WAS CHECKED'}: {reason}", sys.stderr)
    return 1 if MISTAKES else 2


if __name__ == "__main__":
    sys.exit(main())
