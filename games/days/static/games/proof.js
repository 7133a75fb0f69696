// That a result is among those with which its day was sealed: a Merkle tree as in RFC 9162, and the chain of its roots
// (docs/proofs.md). Pure, but for WebCrypto.
import { cardsLeft } from "./play/position.js";
import { replay } from "./play/notation.js";
import { bytesOfText, hashOf, hex, isCount, isDay, isHash, sha256 } from "./verify.js";

/** @typedef {{ number: number, day: string, count: number, root: string, link: string }} Root */
/** @typedef {import("./play/rules.js").Rules} Rules */
/** @typedef {import("./play/notation.js").GameRecord} GameRecord */
/** @typedef {{ game: string, leaf: string, day: string, index: number, count: number, path: string[], root: string }} Proof */

const FIRST_LINK = "0".repeat(64);
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // the root of a day without results

/** Return the hash of a byte in front of others. @param {number} first @param {...Uint8Array} parts */
const hashed = (first, ...parts) => hashOf(Uint8Array.from([first, ...parts.flatMap((part) => [...part])]));

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return the root to which a proof leads from its leaf, or null for another path than one of its length. @param {Pick<Proof, "leaf" | "index" | "count" | "path">} proof */
export async function rootOf({ leaf, index, count, path }) {
  if (!(isCount(index) && isCount(count) && index < count && typeof leaf === "string" && path.every(isHash))) return null;
  let root = await hashed(0, bytesOfText(leaf)), at = index, last = count - 1;
  const rest = path.map(unhex);
  while (last > 0) {
    const isRight = at % 2 === 1;
    if (isRight || at < last) {
      const near = rest.shift();
      if (!near) return null;
      root = await (isRight ? hashed(1, near, root) : hashed(1, root, near));
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return rest.length || at ? null : hex(root);
}

/** Return the number of the first root of a chain that does not follow from the one before, or is of no later day, or 0. @param {Root[]} roots */
export async function rootsBrokenAt(roots) {
  let link = FIRST_LINK, before = "";
  for (const [index, { number, day, count, root, link: told }] of roots.entries()) {
    link = await sha256(["pyramid/results/1", link, number, day, count, root].join("|"));
    const isSize = isCount(count) && (count === 0) === (root === EMPTY);
    if (number !== index + 1 || told !== link || !isDay(day) || day <= before || !isSize || !isHash(root)) return index + 1;
    before = day;
  }
  return 0;
}

/**
 * Return the line with which the result of a record is sealed. Every field follows from the record alone, by playing it
 * again, so the promise is broken for a record that does not replay.
 * @param {Rules} fields @param {GameRecord} record
 */
export async function lineOf(fields, record) {
  const { Day: day, Rules: rules, Division: division, Game: game } = record.tags;
  const left = leftAfter(fields, record), result = left ? record.result.replace("won", "not won") : "won";
  const moves = record.entries.filter(({ action }) => action !== "H").length;
  const log = await sha256(record.entries.map(({ action, at }) => `${action}@${at}`).join(" "));
  return ["pyramid/result/1", day, rules, division, game, result, left, moves, record.entries.at(-1)?.at ?? 0, log].join("|");
}

/** Return true if a proof is about what a record says was played. @param {Rules} fields @param {GameRecord} record @param {Proof} proof */
export async function isAbout(fields, record, proof) {
  const { Day: day, Game: game } = record.tags;
  return proof.game === game && proof.day === day && proof.leaf === (await lineOf(fields, record));
}

/** Return true if a proof leads to the root of its day. @param {Proof} proof @param {Root | undefined} root */
export async function leadsTo(proof, root) {
  return root !== undefined && root.root === proof.root && root.count === proof.count && (await rootOf(proof)) === root.root;
}

/** Return how many cards of the goal a record leaves. @param {Rules} fields @param {GameRecord} record */
export function leftAfter(fields, record) {
  const last = replay(fields, record).at(-1);
  if (!last) throw new Error("a record has a position at least");
  return cardsLeft(fields, last.board);
}
