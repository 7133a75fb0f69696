// Merkle trees as in RFC 9162, and the line with which a result is sealed (docs/proofs.md). Pure, but for WebCrypto.
import { cardsLeft } from "./play/position.js";
import { replay } from "./play/notation.js";
import { bytesOfText, hashOf, hex, isCount, isHash, sha256 } from "./verify.js";

/** @typedef {import("./play/rules.js").Rules} Rules */
/** @typedef {import("./play/notation.js").GameRecord} GameRecord */
/** @typedef {{ leaf: string, index: number, count: number, path: string[] }} Proof */


/** Return the hash of a byte in front of others. @param {number} first @param {...Uint8Array} parts */
export const hashed = (first, ...parts) => hashOf(Uint8Array.from([first, ...parts.flatMap((part) => [...part])]));

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return the root to which a proof leads from its leaf, or null for another path than one of its length. @param {Proof} proof */
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

/** Return how many cards of the goal a record leaves. @param {Rules} fields @param {GameRecord} record */
export function leftAfter(fields, record) {
  const last = replay(fields, record).at(-1);
  if (!last) throw new Error("a record has a position at least");
  return cardsLeft(fields, last.board);
}
