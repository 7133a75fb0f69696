// A puzzle on the table of a game: draws are free, the server judges each removal.
import { openDialog, wireDialogs } from "../dialogs.js";
import { byId, say } from "../dom.js";
import { request, submit } from "../http.js";
import { listOf, nameOf, statusOf } from "../play/announce.js";
import { enable } from "../play/hud.js";
import { listenToPointers } from "../play/input.js";
import { listenToKeys } from "../play/keys.js";
import { MOTION } from "../play/motion.js";
import { advance, readPosition } from "../play/notation.js";
import { PlayedTable } from "../play/player.js";
import { dataOf, gettext, ngettext } from "../texts.js";

/** @typedef {{ buried: string | null, partners: string[], needs: { ranks: string, pairs: number }[] }} Loss */
/** @typedef {{ moves: string[] }} Solution */
/** @typedef {{ state: "wrong" | "goes_on" | "solved", found: number, loss: Loss | null, solution: Solution | null }} Judgement */

const STEP = 700; // milliseconds from move to move of a win that is shown
const DRAW_STEP = 140;

const data = dataOf("puzzle");
/** @type {import("../play/notation.js").Step} */
const start = { ...readPosition(data.rules, data.position), past: [], future: [], moves: 0 };
let timer = 0;

/** The attempt, as the table plays it. */
const attempt = {
  rules: data.rules,
  shown: start,
  result: "*",
  isPlayer: true,
  isFull: false,
  awaitsFaces: false,
  isAsking: false,
  /** @type {string[]} */
  removed: [],
  /** @type {Solution | null} */
  solution: null,
  get isPlayed() {
    return this.result === "*";
  },
  get canAct() {
    return this.isPlayed && !this.isAsking;
  },
  /** Show an action at once; a removal is judged. @param {string} action */
  act(action) {
    const before = this.shown;
    const next = this.canAct ? advance(data.rules, before, action) : null;
    if (!next || "UYH".includes(action)) return false;
    this.shown = next;
    view.changed({ kind: "moved", action });
    if (action !== "D" && action !== "R") judge(action, before);
    return true;
  },
};

const view = new PlayedTable(/** @type {any} */ (attempt), tell);
view.kingGoes = () => undefined; // even a king is for the player to find

/** @param {string} text */
function tell(text) {
  say(byId("tells"), text);
}

/** @param {string} action @param {typeof start} before */
async function judge(action, before) {
  attempt.isAsking = true;
  refresh();
  const moves = [...attempt.removed, action];
  const answer = await submit(`/api/puzzles/${data.id}/attempts/`, { moves });
  attempt.isAsking = false;
  if (answer.message) {
    attempt.shown = before;
    view.changed({ kind: "rolled-back", action });
    tell(answer.message);
  } else take(answer.json, action, moves);
  refresh();
}

/** @param {Judgement} judgement @param {string} action @param {string[]} moves */
function take({ state, found, loss, solution }, action, moves) {
  attempt.removed = moves;
  for (const figure of document.querySelectorAll("[data-found]")) say(figure, `${found}/${data.removals}`);
  if (state === "goes_on") return tell(gettext("Right. Now find the next one."));
  attempt.solution = solution;
  attempt.result = state;
  const title = state === "solved" ? gettext("This one wins") : gettext("That loses");
  conclude(title, loss ? reasonOf(action, loss) : "", state === "solved" ? "" : winOf(solution, found));
}

/** @param {string} title @param {string} text @param {string} right */
function conclude(title, text, right) {
  tell(title);
  say(byId("verdict-title"), title);
  say(byId("verdict-text"), text);
  say(byId("verdict-right"), right);
  openDialog("verdict");
}

/** @param {string} action */
const cardsOf = (action) => listOf((action.match(/../g) ?? []).map(nameOf));

/** Say why a removal loses. @param {string} action @param {Loss} loss */
function reasonOf(action, { buried, partners, needs }) {
  const gone = { cards: cardsOf(action), card: nameOf(buried), partners: listOf(partners.map(nameOf)) };
  if (buried) return gettext("Once you take {cards}, {card} can leave only with {partners}, above or below it: never.", gone);
  const pairs = needs.map(({ ranks, pairs: count }) => `${count} × ${[...ranks].map((rank) => (rank === "T" ? "10" : rank)).join("–")}`);
  return gettext("Once you take {cards}, these pairs have to leave inside the pyramid, and no order brings them together: {pairs}.", { cards: gone.cards, pairs: listOf(pairs) });
}

/** Name the right removal after so many. @param {Solution | null} solution @param {number} found */
function winOf(solution, found) {
  const removals = (solution?.moves ?? []).filter((move) => move !== "D" && move !== "R");
  return gettext("This keeps the win: {cards}.", { cards: cardsOf(removals[found] ?? "") });
}

async function answer() {
  const solution = attempt.solution ?? (await request(`/api/puzzles/${data.id}/solution/`).catch(() => null));
  if (!solution) return tell(gettext("The server cannot be reached right now."));
  const found = attempt.result === "*" ? attempt.removed.length : 0;
  attempt.solution = solution;
  attempt.result = "shown";
  conclude(gettext("The answer"), ngettext("The puzzle has {count} removal to find.", "The puzzle has {count} removals to find.", data.removals), winOf(solution, found));
  refresh();
}

/** Play the win from the beginning, move by move. */
function show() {
  clearTimeout(timer);
  attempt.shown = start;
  view.show(MOTION.undo);
  const moves = [...(attempt.solution?.moves ?? [])];
  const step = () => {
    const move = moves.shift();
    const next = move && advance(data.rules, attempt.shown, move);
    if (!move || !next) return tell(gettext("The pyramid is cleared."));
    const isDraw = move === "D" || move === "R";
    attempt.shown = next;
    view.show(isDraw ? DRAW_STEP : MOTION.removal);
    if (!isDraw) tell(gettext("{cards} leave.", { cards: cardsOf(move) }));
    timer = setTimeout(step, isDraw ? DRAW_STEP : STEP);
  };
  timer = setTimeout(step, STEP);
}

function again() {
  clearTimeout(timer);
  Object.assign(attempt, { shown: start, result: "*", removed: [] });
  view.selected = -1;
  view.changed({ kind: "replaced", action: "" });
  for (const figure of document.querySelectorAll("[data-found]")) say(figure, `0/${data.removals}`);
  tell(gettext("Find the removal that keeps the win."));
}

function refresh() {
  enable("draw", attempt.canAct);
  enable("again", !attempt.isAsking && attempt.shown !== start);
  enable("answer", !attempt.isAsking);
  enable("show", attempt.solution !== null);
}

/** @type {Record<string, () => unknown>} */
const ACTIONS = {
  draw: () => attempt.canAct && view.draw(),
  again,
  answer,
  show,
  new: () => byId("next").click(),
  status: () => say(byId("polite"), statusOf(view.shown)),
  keys: () => openDialog("menu"),
};

/** @param {string} name */
function act(name) {
  ACTIONS[name]?.();
  refresh();
}

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => act(/** @type {HTMLElement} */ (button).dataset.action ?? ""));
}
listenToPointers(view, () => undefined, refresh);
listenToKeys(view, act);
wireDialogs();
refresh();
