// An attempt at a puzzle on the table of a game: draws are free, the server judges each removal.
import { byId, readOut, say } from "../dom.js";
import { listOf, nameOf } from "../play/announce.js";
import { listenToPointers } from "../play/input.js";
import { listenToKeys } from "../play/keys.js";
import { advance, readPosition } from "../play/notation.js";
import { PlayedTable } from "../play/player.js";
import { wireDialogs } from "../dialogs.js";
import { gettext } from "../texts.js";

/** @typedef {import("../play/notation.js").Step} Step */
/** @typedef {import("../play/rules.js").Rules} Rules */
/** @typedef {{ buried: string | null, partners: string[], needs: { ranks: string, pairs: number }[] }} Loss */
/** @typedef {{ moves: string[] }} Solution */

/** An attempt, as the table plays it. */
export class Attempt {
  isPlayer = true;
  isFull = false;
  awaitsFaces = false;
  isAsking = false;
  /** @type {string} */
  result = "*";
  /** @type {string[]} */
  removed = [];

  /** @param {Rules} rules @param {string} position @param {(action: string, before: Step) => unknown} judge */
  constructor(rules, position, judge) {
    this.rules = rules;
    this.judge = judge;
    this.start = this.shown = stepOf(rules, position);
    this.view = new PlayedTable(/** @type {any} */ (this), (text) => text && say(byId("tells"), text)); // what there is to find stays
    this.view.kingGoes = () => undefined; // even a king is for the player to find
  }

  get isPlayed() {
    return this.result === "*";
  }

  get canAct() {
    return this.isPlayed && !this.isAsking;
  }

  /** Begin with a position, by default the one of before. @param {string} [position] @param {string[]} [removed] */
  begin(position, removed = []) {
    if (position) this.start = stepOf(this.rules, position);
    Object.assign(this, { shown: this.start, result: "*", removed });
    this.view.selected = -1;
    this.view.changed({ kind: "replaced", action: "" });
  }

  /** Show an action at once; a removal is judged. @param {string} action */
  act(action) {
    const before = this.shown;
    const next = this.canAct ? advance(this.rules, before, action) : null;
    if (!next || "UYH".includes(action)) return false;
    this.shown = next;
    this.view.changed({ kind: "moved", action });
    if (action !== "D" && action !== "R") this.judge(action, before);
    return true;
  }

  /** Take a removal back that was not judged. @param {string} action @param {Step} before */
  rollBack(action, before) {
    this.shown = before;
    this.view.changed({ kind: "rolled-back", action });
  }

  /** Let buttons, pointers and keys act. @param {Record<string, () => unknown>} actions @param {() => void} refresh */
  wire(actions, refresh) {
    const act = (/** @type {string} */ name) => {
      actions[name]?.();
      refresh();
    };
    for (const button of document.querySelectorAll("[data-action]")) {
      button.addEventListener("click", () => act(/** @type {HTMLElement} */ (button).dataset.action ?? ""));
    }
    listenToPointers(this.view, refresh);
    listenToKeys(this.view, act);
    wireDialogs();
    refresh();
  }
}

/** @param {Rules} rules @param {string} position @returns {Step} */
const stepOf = (rules, position) => ({ ...readPosition(rules, position), past: [], future: [], moves: 0 });

/** @param {string} text */
export function tell(text) {
  say(byId("tells"), text);
  readOut(byId("polite"), text);
}

/** @param {string} action */
export const cardsOf = (action) => listOf((action.match(/../g) ?? []).map(nameOf));

/** Say why a removal loses. @param {string} action @param {Loss} loss */
export function reasonOf(action, { buried, partners, needs }) {
  const gone = { cards: cardsOf(action), card: nameOf(buried), partners: listOf(partners.map(nameOf)) };
  if (buried) return gettext("Once you take {cards}, {card} can leave only with {partners}, above or below it: never.", gone);
  const pairs = needs.map(({ ranks, pairs: count }) => `${count} × ${[...ranks].map((rank) => (rank === "T" ? "10" : rank)).join("–")}`);
  return gettext("Once you take {cards}, these pairs have to leave inside the pyramid, and no order brings them together: {pairs}.", { cards: gone.cards, pairs: listOf(pairs) });
}

/** Name the right removal after so many. @param {Solution | null} solution @param {number} found */
export function winOf(solution, found) {
  const removals = (solution?.moves ?? []).filter((move) => move !== "D" && move !== "R");
  return gettext("This keeps the win: {cards}.", { cards: cardsOf(removals[found] ?? "") });
}
