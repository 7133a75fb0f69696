// Proofs of the transparency log: that a leaf is in it, and who has signed its head (docs/transparency-log.md). Pure, but
// for WebCrypto.
import { hashed, lineOf, rootOf } from "./proof.js";
import { BEACONS, FALLBACK, bytesOfText, hashOf, hex, isDay, isRules, roundOf, timeOf } from "./verify.js";

/** @typedef {{ name: string, id: string, type: number, raw: Uint8Array<ArrayBuffer> }} Key */
/** @typedef {{ name: string, id: string, data: Uint8Array<ArrayBuffer> }} Signature */
/** @typedef {{ head: string, origin: string, size: number, root: string, signatures: Signature[] }} LogHead */
/** @typedef {LogHead & { leaf: string, inner: string[], index: number, path: string[] }} LogProof */

const LOG = 1, WITNESS = 4;
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // the root of a tree without leaves
const MOST_BYTES = 16_384, MOST_SIGNATURES = 40;
const COUNT = /^(0|[1-9][0-9]{0,14})$/, HASH = /^[0-9a-f]{64}$/;
const TIME = /^[0-9-]{10}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;

/** @type {Record<string, (field: string) => boolean>} */
const FORMS = {
  DAY: isDay,
  RULES: isRules,
  DIVISION: (text) => ["main", "open"].includes(text),
  GRADE: (text) => ["any", "easy", "medium", "hard"].includes(text),
  TIME: (text) => TIME.test(text) && isDay(text.slice(0, 10)),
  HASH: (text) => HASH.test(text),
  BEACON: (text) => Object.hasOwn(BEACONS, text),
  RANDOM: (text) => text === FALLBACK || HASH.test(text),
  COUNT: (text) => COUNT.test(text),
  ORIGIN: (text) => /^[a-z0-9][a-z0-9.:-]*(\/[a-z0-9][a-z0-9.-]*)*$/.test(text),
};
/** @type {Record<string, string>} */
const LEAVES = {
  "pyramid/commitment/1": "DAY|RULES|DIVISION|GRADE|TIME|HASH",
  "pyramid/beacon/1": "DAY|RULES|BEACON|COUNT|RANDOM",
  "pyramid/results/2": "DAY|COUNT|HASH",
  "pyramid/decision/2": "COUNT|HASH",
  "pyramid/key/1": "HASH",
  "pyramid/predecessor/1": "ORIGIN|COUNT|HASH",
};

/** The number of fields, from the first, that say what a leaf is about; one for all other kinds. @type {Record<string, number>} */
const SUBJECTS = { "pyramid/commitment/1": 3, "pyramid/beacon/1": 2 };

/** Return whether a leaf of the log is written in the only way there is. @param {string} text */
export function isLeaf(text) {
  const [kind = "", ...fields] = text.split("|");
  const forms = Object.hasOwn(LEAVES, kind) ? (LEAVES[kind] ?? "").split("|") : [];
  if (kind === "pyramid/commitment/1" && fields.length > forms.length) forms.push("BEACON", "COUNT"); // on whose round the deal depends
  return forms.length > 0 && forms.length === fields.length && forms.every((form, at) => FORMS[form]?.(fields[at] ?? ""));
}

/** Return the bytes of base64 that is written in the only way there is. @param {string} text */
function decoded(text) {
  const data = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (btoa(String.fromCharCode(...data)) !== text) throw new Error("not base64");
  return data;
}

/** @param {string} text */
function hash(text) {
  const data = decoded(text);
  if (data.length !== 32) throw new Error("a hash has 32 bytes");
  return hex(data);
}

/** @param {string} text */
function count(text) {
  if (!COUNT.test(text)) throw new Error("not a number of leaves");
  return Number(text);
}

/** Read the signed head of a log, or throw. @param {string} text @returns {LogHead} */
export function readHead(text) {
  const [head = "", signed = "", ...more] = text.split("\n\n");
  const [origin = "", size = "", root = "", ...extension] = head.split("\n"), lines = signed.split("\n");
  if (more.length || extension.length || lines.pop() !== "" || lines.length > MOST_SIGNATURES) throw new Error("not a head");
  return { head: `${head}\n`, origin, size: count(size), root: hash(root), signatures: lines.map(signature) };
}

/** Read a proof, or throw. @param {string} text @returns {LogProof} */
export function readProof(text) {
  const end = text.indexOf("\n\n");
  const [kind, extra = "", index = "", ...path] = text.slice(0, end).split("\n");
  if (kind !== "c2sp.org/tlog-proof@v1" || text.length > MOST_BYTES || !extra.startsWith("extra ") || !index.startsWith("index ")) throw new Error("not a proof");
  const [leaf = "", ...inner] = String.fromCharCode(...decoded(extra.slice(6))).split("\n");
  if (inner.pop() !== "") throw new Error("not a proof");
  return { leaf, inner, index: count(index.slice(6)), path: path.map(hash), ...readHead(text.slice(end + 2)) };
}

/** @param {string} line @returns {Signature} */
function signature(line) {
  const [, name = "", data = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const raw = decoded(data);
  return { name, id: hex(raw.slice(0, 4)), data: raw.slice(4) };
}

/** Read keys of logs and witnesses, one a line, or throw. @param {string} text @returns {Promise<Key[]>} */
export function readKeys(text) {
  return Promise.all(text.split(/\s+/).filter(Boolean).map(async (line) => {
    const [name = "", id = "", ...data] = line.split("+");
    const raw = decoded(data.join("+"));
    const digest = await hashOf(Uint8Array.from([...bytesOfText(`${name}\n`), ...raw]));
    if (raw.length !== 33 || hex(digest.slice(0, 4)) !== id) throw new Error("not a key");
    return { name, id, type: raw[0] ?? 0, raw: raw.slice(1) };
  }));
}

/** @param {Key} key @param {Uint8Array<ArrayBuffer>} data @param {string} text */
async function verifies(key, data, text) {
  const imported = await crypto.subtle.importKey("raw", key.raw, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, data, bytesOfText(text));
}

/** @param {Key} key @param {string} head @param {Uint8Array<ArrayBuffer>} data */
async function hasSigned(key, head, data) {
  if (key.type === LOG) return data.length === 64 && verifies(key, data, head);
  if (key.type !== WITNESS || data.length !== 72) return false;
  const at = new DataView(data.buffer, data.byteOffset).getBigUint64(0);
  return verifies(key, data.slice(8), `cosignature/v1\ntime ${at}\n${head}`);
}

/**
 * Return the names of those of some keys that have signed a head: the log, and witnesses. The promise is broken for a
 * wrong signature of one of them.
 * @param {LogHead} head @param {Key[]} keys
 */
export async function signersOf(head, keys) {
  const log = new Set(), witnesses = new Set();
  for (const { name, id, data } of head.signatures) {
    for (const key of keys.filter((each) => each.name === name && each.id === id)) {
      if (!(await hasSigned(key, head.head, data))) throw new Error(`the signature of ${name} is wrong`);
      if (key.type === WITNESS) witnesses.add(name);
      else if (name === head.origin) log.add(name);
    }
  }
  return { log: [...log], witnesses: [...witnesses] };
}

/** Return whether a leaf is written as a leaf, and leads to the head of its proof. @param {LogProof} proof */
export async function isInLog({ leaf, index, size, path, root }) {
  return isLeaf(leaf) && (await rootOf({ leaf, index, count: size, path })) === root;
}

/** Return whether the line of a game leads to the leaf of its day. @param {LogProof} proof */
export async function isInDay({ leaf, inner: [line = "", index = "", ...path] }) {
  const [kind, day, number = "", root] = leaf.split("|"), [form, played] = line.split("|");
  if (kind !== "pyramid/results/2" || form !== "pyramid/result/1" || played !== day || !index.startsWith("index ")) return false;
  return (await rootOf({ leaf: line, index: count(index.slice(6)), count: count(number), path: path.map(hash) })) === root;
}

/** Return whether a proof is about what a record says was played. @param {import("./proof.js").Rules} fields @param {import("./proof.js").GameRecord} record @param {LogProof} proof */
export const isOfRecord = async (fields, record, proof) => proof.inner[0] === (await lineOf(fields, record));

/** Return the leaves in a bundle, each after its length, or throw. @param {Uint8Array} data */
export function leavesIn(data) {
  const leaves = [];
  for (let at = 0; at < data.length; ) {
    const size = (data[at] ?? 0) * 256 + (data[at + 1] ?? 0);
    leaves.push(String.fromCharCode(...data.subarray(at + 2, at + 2 + size)));
    at += 2 + size;
  }
  return leaves;
}

/** Return the address of a bundle of leaves in a log of some size. @param {number} number @param {number} size */
export function bundleAt(number, size) {
  const groups = `${number}`.padStart(Math.ceil(`${number}`.length / 3) * 3, "0").match(/.../g) ?? [];
  const width = Math.min(256, size - 256 * number), last = groups.pop();
  return `/tlog/tile/entries/${groups.map((group) => `x${group}/`).join("")}${last}${width < 256 ? `.p/${width}` : ""}`;
}

/** Return the root over leaves. @param {string[]} leaves */
export async function rootOver(leaves) {
  let row = await Promise.all(leaves.map((leaf) => hashed(0, bytesOfText(leaf))));
  while (row.length > 1) {
    const lefts = row.filter((_, at) => at % 2 === 0);
    row = await Promise.all(lefts.map((left, at) => (row[2 * at + 1] ? hashed(1, left, /** @type {Uint8Array} */ (row[2 * at + 1])) : left)));
  }
  return row[0] ? hex(row[0]) : EMPTY;
}

/**
 * Return the number, from 1, of the first leaf that is not written as documented, is the second about its subject, repeats
 * a commitment, claims to be older than one before, or has results of an earlier day; or 0.
 * @param {string[]} leaves
 */
export function wrongAt(leaves) {
  const seen = new Set();
  let made = "", sealed = "";
  for (const [index, leaf] of leaves.entries()) {
    const [kind = "", ...fields] = leaf.split("|"), isCommitment = kind === "pyramid/commitment/1";
    const subject = [kind, ...fields.slice(0, SUBJECTS[kind] ?? 1)].join("|"), last = fields[LEAVES[kind]?.split("|").indexOf("HASH") ?? -1] ?? "";
    if (!isLeaf(leaf) || seen.has(subject) || (isCommitment && (seen.has(last) || (fields[4] ?? "") < made))) return index + 1;
    seen.add(subject);
    if (isCommitment) [made] = [fields[4] ?? "", seen.add(last)];
    if (kind !== "pyramid/results/2") continue;
    if ((fields[0] ?? "") <= sealed || (last === EMPTY) !== (fields[1] === "0")) return index + 1;
    sealed = fields[0] ?? "";
  }
  return 0;
}

/** Return the commitments of a log. @param {string[]} leaves @returns {import("./verify.js").Committed[]} */
export function commitmentsIn(leaves) {
  return leaves.filter((leaf) => leaf.startsWith("pyramid/commitment/1|") && isLeaf(leaf)).map((leaf) => {
    const [, day = "", rules = "", division = "", grade = "", at = "", commitment = "", beacon = "", round = ""] = leaf.split("|");
    const awaits = beacon ? { beacon, round: Number(round) } : null;
    return { day, rules, division, grade: grade === "any" ? null : grade, committed_at: at, commitment, awaits };
  });
}

/** Return the rounds of a log, by the days and rule sets whose deals depend on them. @param {string[]} leaves @returns {Map<string, import("./verify.js").Round>} */
export function roundsIn(leaves) {
  return new Map(leaves.filter((leaf) => leaf.startsWith("pyramid/beacon/1|") && isLeaf(leaf)).map((leaf) => {
    const [, day, rules, beacon = "", round, randomness = ""] = leaf.split("|");
    return [`${day}|${rules}`, { beacon, round: Number(round), randomness }];
  }));
}

/** Return whether commitments name the rounds of their days, made before anyone knew them, and the log has these rounds and no others. @param {string[]} leaves @param {string} over the last day that is over */
export function areRightRounds(leaves, over) {
  const waiting = commitmentsIn(leaves).filter((entry) => entry.awaits), rounds = roundsIn(leaves);
  const named = new Set(waiting.map(({ day, rules }) => `${day}|${rules}`));
  return [...rounds.keys()].every((about) => named.has(about)) && waiting.every(({ day, rules, awaits, committed_at: at }) => {
    const found = rounds.get(`${day}|${rules}`);
    if (!awaits || awaits.round !== roundOf(day, awaits.beacon) || Date.parse(at) >= timeOf(awaits)) return false;
    return found ? found.beacon === awaits.beacon && found.round === awaits.round : day > over;
  });
}
