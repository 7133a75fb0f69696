// Recomputing what a daily deal claims, from its seed on (docs/daily-deals.md). Pure, but for WebCrypto.
const RANKS = "A23456789TJQK", SUITS = "cdhs";
const FIRST_LINK = "0".repeat(64);
const encoder = new TextEncoder();
/** All cards of one deck, in the order that is shuffled. */
export const CARDS = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
/** @typedef {() => Promise<number>} Bytes gives one byte after the other */

/** @typedef {{ day: string, rules: string, division: string, commitment: string, number: number, link: string, committed_at: string, grade?: string | null }} Committed */
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

/** Return the link that an entry makes after another. @param {string} previous @param {Committed} entry */
function linkAfter(previous, entry) {
  const parts = ["pyramid/link/2", previous, entry.number, nameOf(entry), entry.committed_at, entry.commitment];
  return sha256([...parts, ...(entry.grade ? [entry.grade] : [])].join("|"));
}

/** Return the number of the first entry of a chain that does not follow from the one before, or 0. @param {Committed[]} chain */
export async function brokenAt(chain) {
  let link = FIRST_LINK;
  for (const [index, entry] of chain.entries()) {
    link = await linkAfter(link, entry);
    if (entry.number !== index + 1 || entry.link !== link) return index + 1;
  }
  return 0;
}

/** Return the deck that a seed leads to: of all cards of one deck or of two, however many the revealed one has. @param {{ day: string, rules: string, division: string }} daily @param {Reveal} reveal */
export async function deckOf(daily, { seed, candidate, deck }) {
  const second = CARDS.map((card) => card[0] + (card[1] ?? "").toUpperCase());
  const cards = deck.length > CARDS.join("").length ? [...CARDS, ...second] : CARDS;
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
  return (deck.match(/../g) ?? []).map((card) => {
    const rank = RANKS.indexOf(card[0] ?? "");
    const suit = card[1] ?? "";
    const original = SUITS[suits.indexOf(suit.toLowerCase(), rank * 4) - rank * 4] ?? "?";
    return card[0] + (suit === suit.toLowerCase() ? original : original.toUpperCase());
  }).join("");
}
