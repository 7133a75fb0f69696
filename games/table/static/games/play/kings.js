// Kings that go by themselves, if the player wants it: free ones of the tableau, which have to leave in any case.
import { options } from "../options.js";
import { freeCards } from "./position.js";
import { leavesAlone, rankOf } from "./rules.js";

/** @typedef {import("./choose.js").Shown} Shown */
/** @typedef {import("./game.js").Change} Change */

const PAUSE = 700; // milliseconds: one sees what has become free
const NOT_BY_MOVE = ["", "U", "Y", "H"]; // what was taken back stays there

/** Return the removal of a free card of the tableau that leaves alone, or "". @param {Shown} shown */
export function kingToGo({ rules, board, faces }) {
  const king = freeCards(rules, board).find((card) => leavesAlone(rules, rankOf(faces[card] ?? "")));
  return king === undefined ? "" : (faces[king] ?? "");
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Have kings go some time after a change, unless the player does something else first. @param {Change} change @param {() => void} go */
export function letKingsGo({ kind, action }, go) {
  clearTimeout(timer);
  if (kind !== "dealt" && NOT_BY_MOVE.includes(action)) return;
  timer = setTimeout(() => options().has("kings") && go(), PAUSE); // asked only now: the cookie that says so is slow to read
}
