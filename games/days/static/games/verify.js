// Recomputing what a daily deal claims, from its seed on (docs/proofs.md). Pure, but for WebCrypto.
const RANKS = "A23456789TJQK", SUITS = "cdhs";
const TWO_DECKS = ["double-pyramid", "two-pyramids", "up-and-down"];
/** The names of all rule sets; what is not written exactly like one is none. */
export const RULE_SETS = [
  ..."cell covered-pairs dark-pyramid dark-pyramid-redeal face-up-stock king-tut no-waste open-pyramid relaxed".split(" "),
  ..."seven-reserve single-pass standard three-piles tuts-tomb apophis cheops classic classic-overlap".split(" "),
  ..."eleven-triangle giza par-pyramid pharaohs pyramid-dozen pyramid-thirteen triangle".split(" "),
  ...TWO_DECKS,
];
const DIVISIONS = ["main", "open"];
const HASH = /^[0-9a-f]{64}$/;
const DAY_MS = 86_400_000;
const encoder = new TextEncoder();
/** All cards of one deck, in the order that is shuffled. */
export const CARDS = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
/** @typedef {() => Promise<number>} Bytes gives one byte after the other */

/** @typedef {{ beacon: string, round: number }} Awaited */
/** @typedef {{ beacon: string, round: number, randomness: string }} Round */
/** @typedef {{ day: string, rules: string, division: string, commitment: string, committed_at: string, grade: string | null, awaits: Awaited | null }} Committed */
/** @typedef {{ seed: string, candidate: number, deck: string }} Reveal */

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const hashOf = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** @param {string} text */
export const bytesOfText = (text) => encoder.encode(text);

/** @param {string} text */
export const sha256 = async (text) => hex(await hashOf(bytesOfText(text)));

/** @param {{ day: string, rules: string, division: string }} daily */
export const nameOf = ({ day, rules, division }) => `${day}|${rules}|${division}`;

/** @param {{ day: string, rules: string, division: string }} daily @param {string} seed */
export const commitmentOf = (daily, seed) => sha256(`pyramid/daily/1|${nameOf(daily)}|${seed}`);

/** Return whether a value is a hash as it is written everywhere; an array of one is none. @param {unknown} value */
export const isHash = (value) => typeof value === "string" && HASH.test(value);

/** Return whether a value is a number of things: whole numbers from 2 to the power of 53 on are not the same for all readers. @param {unknown} value */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** Return whether a text is a day as it is written everywhere. @param {string} text */
export const isDay = (text) => /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) && dayOf(Date.parse(text)) === text;

/** Return whether a text is the name of a rule set. @param {string} text */
export const isRules = (text) => RULE_SETS.includes(text);

/** @param {number} time milliseconds since 1970 */
const dayOf = (time) => (Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 10));

/** Return whether a deal has a name that exists. @param {{ day: string, rules: string, division: string }} daily */
const isWellNamed = ({ day, rules, division }) => isDay(day) && RULE_SETS.includes(rules) && DIVISIONS.includes(division);

/** The beacons on which deals may depend: the time of the first round in seconds, and the seconds between two. @type {Record<string, { first: number, period: number }>} */
export const BEACONS = { quicknet: { first: 1_692_803_367, period: 3 } };
export const FALLBACK = "fallback";
const LEAD_S = 60; // from the round of a day to its opening

/** Return the first round of a beacon that is a minute before a day opens, or later. @param {string} day @param {string} name */
export function roundOf(day, name) {
  const { first, period } = BEACONS[name] ?? { first: 0, period: 1 };
  return Math.ceil((Date.parse(day) / 1000 - LEAD_S - first) / period) + 1;
}

/** Return the time from which on a round can be known, in milliseconds since 1970. @param {Awaited} awaited */
export const timeOf = ({ beacon, round }) => ((BEACONS[beacon]?.first ?? 0) + (round - 1) * (BEACONS[beacon]?.period ?? 0)) * 1000;

/**
 * Return whether a day shows the round of a deal as it was committed to and is in the log.
 * @param {any} told what the day shows @param {Awaited | null} awaits what was committed to @param {Round | undefined} logged
 */
export async function isRoundOf(told, awaits, logged) {
  if (!awaits) return told === null;
  const { beacon, round } = awaits;
  if (!told || told.name !== beacon || told.round !== round || logged?.beacon !== beacon || logged.round !== round) return false;
  if (logged.randomness === FALLBACK) return told.state === FALLBACK && told.randomness === null && told.signature === null;
  if (told.state !== "known" || told.randomness !== logged.randomness || !/^[0-9a-f]{96}$/.test(told.signature)) return false;
  const signature = Uint8Array.from(told.signature.match(/../g), (pair) => parseInt(pair, 16));
  return hex(await hashOf(signature)) === told.randomness;
}

/** Return the seed that the deal of a day follows from. @param {string} committed @param {Round | undefined} logged the round on which it depends */
export const seedOfDay = async (committed, logged) => (logged && logged.randomness !== FALLBACK ? sha256(`pyramid/seed/3|${committed}|${logged.randomness}`) : committed);

/** Return the first and last of days without a deal, between the first commitment and the last, or the last day that is over. @param {{ day: string }[]} commitments @param {string} over @returns {[string, string][]} */
export function leftOut(commitments, over) {
  const days = [...new Set(commitments.map(({ day }) => day).filter(isDay))].sort(), last = days.at(-1);
  if (!last) return [];
  const times = [...days.map((day) => Date.parse(day)), Date.parse(over > last ? over : last) + DAY_MS];
  const gaps = times.slice(1).map((next, at) => /** @type {[number, number]} */ ([(times[at] ?? 0) + DAY_MS, next - DAY_MS]));
  return gaps.filter(([from, to]) => from <= to).map(([from, to]) => [dayOf(from), dayOf(to)]);
}

/** Return the deck that a seed leads to: of all cards of one deck or, if the rule set has two, of both. @param {{ day: string, rules: string, division: string }} daily @param {{ seed: string, candidate: number }} reveal */
export async function deckOf(daily, { seed, candidate }) {
  if (!isHash(seed) || !isCount(candidate) || !isWellNamed(daily)) return "";
  const second = CARDS.map((card) => card[0] + (card[1] ?? "").toUpperCase());
  const cards = TWO_DECKS.includes(daily.rules) ? [...CARDS, ...second] : CARDS;
  return (await shuffled(cards, bytesOf(seed, `deck|${nameOf(daily)}|${candidate}`))).join("");
}

/** Return cards shuffled from the last place down; a byte that would favour some of them is skipped. @param {readonly string[]} cards @param {Bytes} bytes */
export async function shuffled(cards, bytes) {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const fair = 256 - (256 % (last + 1));
    let byte = await bytes();
    while (byte >= fair) byte = await bytes();
    const pick = byte % (last + 1);
    [order[last], order[pick]] = [order[pick] ?? "", order[last] ?? ""];
  }
  return order;
}

/** Return a function that gives the bytes of HMAC-SHA-256 of `text|0`, `text|1` and so on, one after the other. @param {string} seed @param {string} text @returns {Bytes} */
function bytesOf(seed, text) {
  const raw = Uint8Array.from(seed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const key = crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  /** @type {number[]} */
  let left = [];
  let block = 0;
  return async () => {
    if (!left.length) {
      left = [...new Uint8Array(await crypto.subtle.sign("HMAC", await key, encoder.encode(`${text}|${block}`)))];
      block += 1;
    }
    return /** @type {number} */ (left.shift());
  };
}

/** Put back the suits of a game's deck: `suits` are what c, d, h and s of A, 2, 3 ... became. @param {string} deck @param {string} suits */
export function withOwnSuits(deck, suits) {
  if (!suits) return deck;
  if (!/^.{52}$/.test(suits) || !suits.match(/.{4}/g)?.every((four) => [...four].sort().join("") === SUITS)) return "";
  return (deck.match(/../g) ?? []).map((card) => {
    if (card === "??") return card;
    const rank = RANKS.indexOf(card[0] ?? "");
    const suit = card[1] ?? "";
    const original = SUITS[suits.indexOf(suit.toLowerCase(), rank * 4) - rank * 4] ?? "?";
    return card[0] + (suit === suit.toLowerCase() ? original : original.toUpperCase());
  }).join("");
}
