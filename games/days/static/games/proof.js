// That a result is among those with which its day was sealed: a Merkle tree as in RFC 9162, and the chain of its roots
// (docs/integrity.md). Pure, but for WebCrypto.
import { bytesOfText, hashOf, hex, sha256 } from "./verify.js";

/** @typedef {{ number: number, day: string, count: number, root: string, link: string }} Root */
/** @typedef {{ leaf: string, day: string, index: number, count: number, path: string[], root: string }} Proof */

const FIRST_LINK = "0".repeat(64);

/** Return the hash of a byte in front of others. @param {number} first @param {...Uint8Array} parts */
const hashed = (first, ...parts) => hashOf(Uint8Array.from([first, ...parts.flatMap((part) => [...part])]));

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return the root to which a proof leads from its leaf, or null for a path of another length. @param {Proof} proof */
export async function rootOf({ leaf, index, count, path }) {
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

/** Return the number of the first root of a chain that does not follow from the one before, or 0. @param {Root[]} roots */
export async function rootsBrokenAt(roots) {
  let link = FIRST_LINK;
  for (const [index, { number, day, count, root, link: told }] of roots.entries()) {
    link = await sha256(["pyramid/results/1", link, number, day, count, root].join("|"));
    if (number !== index + 1 || told !== link) return index + 1;
  }
  return 0;
}

/** Return the line of a result, as it was sealed. @param {{ day: string, rules: string, division: string, id: string, result: string, cards_left: number, moves: number, elapsed_ms: number }} game @param {{ action: string, at: number }[]} log */
export async function lineOf(game, log) {
  const told = await sha256(log.map(({ action, at }) => `${action}@${at}`).join(" "));
  const { day, rules, division, id, result, cards_left: left, moves, elapsed_ms: elapsed } = game;
  return ["pyramid/result/1", day, rules, division, id, result, left, moves, elapsed, told].join("|");
}
