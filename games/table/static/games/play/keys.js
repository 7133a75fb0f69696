// The keys of a table. Letters act only while the focus is in it or nowhere, and can be switched off.
import { options } from "../options.js";
import { cardAt, nextOfRank } from "./choose.js";
import { neighbour } from "./input.js";
import { RANKS } from "./rules.js";
import { spotOfButton } from "./table.js";

/** @typedef {import("./player.js").PlayedTable} PlayedTable */
/** @typedef {"undo" | "redo" | "hint" | "new" | "resign" | "status" | "keys"} ActionName */

/** @type {Record<string, ActionName>} */
const LETTERS = { u: "undo", h: "hint", n: "new", r: "resign", s: "status", "?": "keys" };

/** @param {PlayedTable} player @param {(name: ActionName) => void} act */
export function listenToKeys(player, act) {
  document.addEventListener("keydown", (event) => {
    if (event.repeat || document.querySelector("dialog[open], .veil:not([hidden])") || isElsewhere(event.target)) return;
    const name = chordOf(event) ?? letterOf(event);
    player.table.usesKeys = true;
    if (name) act(name);
    else if (!onTable(player, event)) return;
    event.preventDefault();
  });
}

/** True if the focus is where letters belong to something else. @param {EventTarget | null} target */
const isElsewhere = (target) => target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

/** @param {KeyboardEvent} event @returns {ActionName | null} */
function chordOf({ key, ctrlKey, metaKey, shiftKey }) {
  if (!(ctrlKey || metaKey)) return null;
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key.toLowerCase() === "y" && ctrlKey ? "redo" : null;
}

/** @param {KeyboardEvent} event @returns {ActionName | null} */
function letterOf({ key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey || options().has("noletters")) return null;
  return LETTERS[key.toLowerCase()] ?? null;
}

/** @param {PlayedTable} player @param {KeyboardEvent} event @returns {boolean} true if the key meant something */
function onTable(player, event) {
  const { table, shown } = player;
  const spot = neighbourOf(player, event);
  if (spot) {
    table.focus(spot);
    return true;
  }
  if (event.key === "Escape") {
    player.select(-1);
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || options().has("noletters")) return false;
  const key = event.key.toUpperCase();
  if (key === "D") player.draw();
  else if (key === "P") player.park(cardAt(shown.board, focusedSpot(player)));
  else if (RANKS.includes(key === "0" ? "T" : key) && key.length === 1 && key !== "T") focusRank(player, key === "0" ? "T" : key);
  else return false;
  return true;
}

/** @param {PlayedTable} player @param {KeyboardEvent} event */
function neighbourOf({ table, shown }, event) {
  if (!event.key.startsWith("Arrow")) return null;
  if (document.activeElement?.closest(".tools, .bar, .rail")) return null;
  const passes = event.ctrlKey ? () => true : (/** @type {import("./choose.js").Spot} */ spot) => table.isFree(shown, spot);
  return neighbour(table, event.key, passes);
}

/** @param {PlayedTable} player @returns {import("./choose.js").Spot} */
function focusedSpot({ table }) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement?.closest("button[data-zone]") ?? null);
  return spotOfButton(active ?? /** @type {HTMLElement} */ (table.buttons.get(table.focused)));
}

/** @param {PlayedTable} player @param {string} rank */
function focusRank(player, rank) {
  const card = nextOfRank(player.shown, RANKS.indexOf(rank) + 1, cardAt(player.shown.board, focusedSpot(player)));
  const spot = player.spotOf(card);
  if (spot) player.table.focus(spot);
}
