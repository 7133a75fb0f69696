// A puzzle by itself: a removal that loses is explained, and the win is shown to those who ask.
import { openDialog } from "../dialogs.js";
import { byId, readOut, say } from "../dom.js";
import { submit } from "../http.js";
import { statusOf } from "../play/announce.js";
import { enable } from "../play/hud.js";
import { MOTION } from "../play/motion.js";
import { advance } from "../play/notation.js";
import { Attempt, cardsOf, reasonOf, tell, winOf } from "../puzzles/attempt.js";
import { dataOf, gettext, ngettext } from "../texts.js";

/** @typedef {import("../puzzles/attempt.js").Loss} Loss */
/** @typedef {import("../puzzles/attempt.js").Solution} Solution */
/** @typedef {{ rating: number, change: number, puzzle_rating: number }} Rated */
/** @typedef {{ state: "wrong" | "goes_on" | "solved", found: number, loss: Loss | null, solution: Solution | null, rated: Rated | null }} Judgement */

const STEP = 700; // milliseconds from move to move of a win that is shown
const DRAW_STEP = 140;

const data = dataOf("puzzle");
let timer = 0;
/** @type {Solution | null} */
let solution = null;

const attempt = new Attempt(data.rules, data.position, judge);

/** @param {string} action @param {import("../play/notation.js").Step} before */
async function judge(action, before) {
  attempt.isAsking = true;
  refresh();
  const moves = [...attempt.removed, action];
  const answer = await submit(`/api/puzzles/${data.id}/attempts/`, { moves });
  attempt.isAsking = false;
  if (answer.message) {
    attempt.rollBack(action, before);
    tell(answer.message);
  } else take(answer.json, action, moves);
  refresh();
}

/** @param {Judgement} judgement @param {string} action @param {string[]} moves */
function take(judgement, action, moves) {
  const { state, found, loss, rated } = judgement;
  attempt.removed = moves;
  showFound(found);
  if (state === "goes_on") return tell(gettext("Right. Now find the next one."));
  solution = judgement.solution;
  attempt.result = state;
  showRating(rated);
  const title = state === "solved" ? gettext("This one wins") : gettext("That loses");
  conclude(title, loss ? reasonOf(action, loss) : "", state === "solved" ? "" : winOf(solution, found));
}

/** @param {number} found */
function showFound(found) {
  for (const figure of document.querySelectorAll("[data-found]")) say(figure, `${found}/${data.removals}`);
}

/** @param {Rated | null} rated */
function showRating(rated) {
  const figures = rated && { before: rated.rating - rated.change, after: rated.rating, puzzle: rated.puzzle_rating };
  const told = figures && gettext("Your rating: {before} → {after}. This puzzle: {puzzle}.", figures);
  say(byId("verdict-rating"), told ?? "");
  for (const figure of document.querySelectorAll("[data-rating]")) if (rated) say(figure, String(rated.rating));
}

/** @param {string} title @param {string} text @param {string} right */
function conclude(title, text, right) {
  tell(title);
  say(byId("verdict-title"), title);
  say(byId("verdict-text"), text);
  say(byId("verdict-right"), right);
  openDialog("verdict");
}

async function answer() {
  if (!solution) {
    const given = await submit(`/api/puzzles/${data.id}/solution/`, {});
    if (given.message) return tell(given.message);
    solution = given.json.solution;
    showRating(given.json.rated);
  }
  const found = attempt.result === "*" ? attempt.removed.length : 0;
  attempt.result = "shown";
  conclude(gettext("The answer"), ngettext("The puzzle has {count} removal to find.", "The puzzle has {count} removals to find.", data.removals), winOf(solution, found));
  refresh();
}

/** Play the win from the beginning, move by move. */
function show() {
  clearTimeout(timer);
  attempt.shown = attempt.start;
  attempt.view.show(MOTION.undo);
  const moves = [...(solution?.moves ?? [])];
  const step = () => {
    const move = moves.shift();
    const next = move && advance(data.rules, attempt.shown, move);
    if (!move || !next) return tell(gettext("The pyramid is cleared."));
    const isDraw = move === "D" || move === "R";
    attempt.shown = next;
    attempt.view.show(isDraw ? DRAW_STEP : MOTION.removal);
    if (!isDraw) tell(gettext("{cards} leave.", { cards: cardsOf(move) }));
    timer = setTimeout(step, isDraw ? DRAW_STEP : STEP);
  };
  timer = setTimeout(step, STEP);
}

function again() {
  clearTimeout(timer);
  attempt.begin();
  showFound(0);
  tell(gettext("Find the removal that keeps the win."));
}

function refresh() {
  enable("draw", attempt.canAct);
  enable("again", !attempt.isAsking && !(attempt.isPlayed && attempt.shown === attempt.start));
  enable("answer", !attempt.isAsking);
  enable("show", solution !== null);
}

attempt.wire(
  {
    draw: () => attempt.canAct && attempt.view.draw(),
    again,
    answer,
    show,
    new: () => byId("next").click(),
    status: () => readOut(byId("polite"), statusOf(attempt.view.shown)),
    keys: () => openDialog("menu"),
  },
  refresh,
);
