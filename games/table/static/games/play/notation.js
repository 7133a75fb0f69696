// Positions and records as text (docs/notation.md), to and from boards. Pure.
import { after, dealt, learn, moveNamed, unknownFaces } from "./position.js";
import { tableauSize } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./position.js").Faces} Faces */
/** @typedef {{ board: Board, faces: Faces }} Seen */

/** @param {string} text */
const cardsOf = (text) => text.match(/../g) ?? [];

/** @param {string} text */
const pilesOf = (text) => text.split(",").map(cardsOf);

/**
 * Read a position. Cards whose faces are known already keep their number; the others are numbered in the order in which
 * they lie, which is the dealing order for a game that has just begun.
 * @param {Rules} rules @param {string} text @param {Faces} known
 * @returns {Seen}
 */
export function readPosition(rules, text, known = unknownFaces(rules)) {
  const [tableau = "", talon = "|", recycles = "0", ...more] = text.split(" ");
  const reserve = more.find((part) => part.startsWith("r:"))?.slice(2) ?? "";
  const cells = more.find((part) => part.startsWith("c:"))?.slice(2) ?? "";
  const [wastes = "", stock = ""] = talon.split("|");
  const faces = [...known];
  const numbers = numberer(rules, faces);
  const start = dealt(rules);
  return {
    board: {
      tableau: cardsOf(tableau.replace(/[/+]/g, "")).map((face, place) => (face === "--" ? -1 : numbers.at(place, face))),
      reserve: rules.reserve[0] ? pilesOf(reserve).map((pile, index) => pile.map((face, depth) => numbers.at(start.reserve[index]?.[depth] ?? -1, face))) : [],
      wastes: rules.wastes ? pilesOf(wastes).map((pile) => pile.map(numbers.named)) : [],
      stock: cardsOf(stock).map(numbers.named),
      cells: (cells.match(/[^-w]{2}w?/g) ?? []).map((text) => numbers.parked(text, tableau)),
      recycles: recycles === "*" ? null : Number(recycles),
    },
    faces,
  };
}

/**
 * Return functions that give a face its card: the one at a known number, or the one that has this face or the next free.
 * @param {Rules} rules @param {Faces} faces
 */
function numberer(rules, faces) {
  let next = tableauSize(rules) + rules.reserve[0] * rules.reserve[1];
  const taken = new Set();
  const known = (/** @type {string} */ face) => (face === "??" ? -1 : faces.indexOf(face));
  const note = (/** @type {number} */ card, /** @type {string} */ face) => {
    if (face !== "??") faces[card] = face;
    taken.add(card);
    return card;
  };
  const named = (/** @type {string} */ face) => {
    const card = known(face);
    if (card >= 0 && !taken.has(card)) return note(card, face);
    while (taken.has(next) || faces[next]) next += 1;
    return note(next, face);
  };
  // A parked card without the mark of the waste came from the tableau, from one of the places that are empty now.
  const parked = (/** @type {string} */ text, /** @type {string} */ tableau) => {
    const face = text.slice(0, 2);
    if (known(face) >= 0 || text.endsWith("w") || rules.goal !== "tableau") return named(face);
    const gone = cardsOf(tableau.replace(/[/+]/g, "")).findIndex((there, place) => there === "--" && !taken.has(place) && !faces[place]);
    return note(gone, face);
  };
  return { at: note, named, parked };
}

/** Write a position as the server does. @param {Rules} rules @param {Board} board @param {Faces} faces */
export function writePosition(rules, board, faces) {
  const face = (/** @type {number} */ card) => (card < 0 ? "--" : (faces[card] ?? "??"));
  let place = 0;
  const peaks = rules.tableau.map(({ rows, inverted }) =>
    Array.from({ length: rows }, (_, row) => {
      const length = inverted ? rows - row : row + 1;
      place += length;
      return board.tableau.slice(place - length, place).map(face).join("");
    }).join("/"),
  );
  const piles = (/** @type {number[][]} */ all) => all.map((pile) => pile.map(face).join("")).join(",");
  const parts = [peaks.join("+"), `${piles(board.wastes)}|${board.stock.map(face).join("")}`, board.recycles ?? "*"];
  if (rules.reserve[0]) parts.push(`r:${piles(board.reserve)}`);
  if (rules.cells) parts.push(`c:${cellsText(rules, board, face)}`);
  return parts.join(" ");
}

/** @param {Rules} rules @param {Board} board @param {(card: number) => string} face */
function cellsText(rules, board, face) {
  const fromWaste = (/** @type {number} */ card) => rules.goal === "tableau" && card >= tableauSize(rules);
  const parked = board.cells.map((card) => face(card) + (fromWaste(card) ? "w" : "")).sort();
  return parked.join("") + "--".repeat(rules.cells - parked.length);
}

/** @typedef {{ action: string, at: number }} Entry */
/** @typedef {{ tags: Record<string, string>, entries: Entry[], result: string }} GameRecord */

/** Read a record. @param {string} text @returns {GameRecord} */
export function readRecord(text) {
  const named = [...text.matchAll(/^\[(\w+) "((?:\\.|[^"\\])*)"\]/gm)].map(([, name, value]) => [name, value]);
  const tags = Object.fromEntries(named);
  if (Object.keys(tags).length < named.length) throw new Error("a record has each tag once");
  const words = text.replace(/^\[.*$/gm, "").trim().split(/\s+/);
  const result = words.at(-1)?.includes("@") ? "*" : (words.pop() ?? "*");
  const entries = words.filter((word) => word.includes("@")).map((word) => {
    const [action = "", at] = word.split("@");
    return { action, at: Number(at) };
  });
  return { tags, entries, result };
}

/** @typedef {{ board: Board, faces: Faces, past: Board[], future: Board[], moves: number }} Step */

/** Return a game's beginning. @param {Rules} rules @param {Faces} faces @returns {Step} */
export const beginning = (rules, faces) => ({ board: dealt(rules), faces, past: [], future: [], moves: 0 });

/**
 * Return what a step becomes by an action, or null where it cannot be applied; `revealed` fills faces that came up.
 * @param {Rules} rules @param {Step} step @param {string} action @param {string[]} revealed
 * @returns {Step | null}
 */
export function advance(rules, step, action, revealed = []) {
  const { board, faces, past, future, moves } = step;
  if (action === "H") return step;
  if (action === "U") {
    const [earlier] = past.slice(-1);
    return earlier ? { faces, board: earlier, past: past.slice(0, -1), future: [...future, board], moves: moves + 1 } : null;
  }
  if (action === "Y") {
    const [later] = future.slice(-1);
    return later ? { faces, board: later, past: [...past, board], future: future.slice(0, -1), moves: moves + 1 } : null;
  }
  const move = moveNamed(rules, board, faces, action);
  if (!move) return null;
  const next = after(rules, board, move);
  return { board: next, faces: learn(rules, next, faces, revealed), past: [...past, board], future: [], moves: moves + 1 };
}

/**
 * Return every step of a record, the deal first. Cards that its reader may not know stay unknown.
 * @param {Rules} rules @param {GameRecord} record
 * @returns {Step[]} as many as there are entries, and one
 */
export function replay(rules, record) {
  const deck = cardsOf(record.tags.Deck ?? "").map((face) => (face === "??" ? null : face));
  const steps = [beginning(rules, deck)];
  for (const { action } of record.entries) {
    const next = advance(rules, /** @type {Step} */ (steps.at(-1)), action);
    if (!next) throw new Error(`${action} cannot be played in ${record.tags.Game}`);
    steps.push(next);
  }
  return steps;
}
