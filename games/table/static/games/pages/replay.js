// A finished game, step by step: by its buttons, keys, or by itself at the pace of its player.
import { wireDialogs } from "../dialogs.js";
import { byId, make, say } from "../dom.js";
import { request } from "../http.js";
import { followTables } from "../live-table.js";
import { nameOf, sentenceOf } from "../play/announce.js";
import { showFigures } from "../play/hud.js";
import { MOTION } from "../play/motion.js";
import { readRecord, replay } from "../play/notation.js";
import { TableView } from "../play/player.js";
import { clockText, dataOf, gettext, ngettext } from "../texts.js";

/** @typedef {{ version: number, action: string, before: number | string | null, after: number | string | null, cost: number | null, verdict: string, best: string | null }} Analysed */

const SPEEDS = [1, 2, 4, 8];
const SLOWEST_STEP = 3000, FASTEST_STEP = 250;
const ASK_AGAIN = 2500, MOST_QUESTIONS = 40;

const data = dataOf("game");
const slider = /** @type {HTMLInputElement} */ (byId("at"));
wireDialogs();
const record = await fetchRecord();
const steps = record ? replay(data.rules, record) : [];
let at = Math.min(Number(location.hash.slice(1)) || 0, Math.max(0, steps.length - 1));
let speed = 0;
let timer = 0;
/** @type {Analysed[]} */
let analysed = [];

async function fetchRecord() {
  const answer = await request(`/api/games/${data.id}/record/`).catch(() => null);
  if (!answer) for (const id of ["step-text", "polite"]) say(byId(id), gettext("The game cannot be fetched right now. Reload the page in a moment."));
  return answer ? readRecord(answer.record) : null;
}

/** @param {number} version @param {number} [duration] */
function go(version, duration = MOTION.undo) {
  at = Math.max(0, Math.min(version, steps.length - 1));
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", gettext("{at} of {of}", { at, of: steps.length - 1 }));
  history.replaceState(null, "", `#${at}`);
  view?.show(duration);
  const shown = /** @type {import("../play/notation.js").Step} */ (steps[at]);
  showFigures(/** @type {any} */ ({ rules: data.rules, shown, confirmed: shown, waiting: [] }));
  const entry = record?.entries[at - 1];
  for (const time of document.querySelectorAll("[data-figure=time]")) say(time, clockText(entry?.at ?? 0));
  say(byId("step-text"), textOf(entry, actionText));
  say(byId("polite"), textOf(entry, actionSentence));
}

/** @param {import("../play/notation.js").Entry | undefined} entry @param {(action: string) => string} words */
function textOf(entry, words) {
  if (!entry) return gettext("The deal");
  const step = analysed.find(({ version }) => version === at);
  const distance = step ? distanceText(step) : "";
  return [words(entry.action), distance].filter(Boolean).join(" · ");
}

/** @param {string} action */
function actionText(action) {
  /** @type {Record<string, string>} */
  const words = { D: gettext("Draw"), R: gettext("Turn the waste over"), U: gettext("Undo"), Y: gettext("Redo"), H: gettext("Hint") };
  return words[action] ?? (action.replace(/^P/, "").match(/../g) ?? []).map(nameOf).join(", ");
}

/** Return an action for those who do not see what it did. @param {string} action */
function actionSentence(action) {
  const [before, after] = [steps[at - 1], steps[at]];
  if (!before || !after || action === "H") return actionText(action);
  return sentenceOf({ rules: data.rules, ...before }, { rules: data.rules, ...after }, action);
}

/** @param {Analysed} step */
function distanceText({ after, verdict }) {
  if (verdict === "lost") return gettext("here the win was lost");
  if (after === 0) return "";
  if (typeof after === "number") return ngettext("{count} move from the win", "{count} moves from the win", after);
  return after === null ? gettext("cannot be won") : "";
}

/** Go on by itself, as fast as the player did, within bounds. */
function run() {
  const [now, next] = [record?.entries[at - 1]?.at ?? 0, record?.entries[at]?.at];
  if (next === undefined) return pause();
  const wait = Math.min(SLOWEST_STEP, Math.max(FASTEST_STEP, next - now)) / (SPEEDS[speed] ?? 1);
  timer = setTimeout(() => {
    go(at + 1, Math.min(MOTION.removal, wait));
    run();
  }, wait);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  byId("run").setAttribute("aria-pressed", "false");
}

function toggle() {
  if (timer) return pause();
  if (at === steps.length - 1) go(0, 0);
  byId("run").setAttribute("aria-pressed", "true");
  run();
}

/** Draw how long the player thought before each move. */
function drawTimes() {
  const entries = record?.entries ?? [];
  const waits = entries.map(({ at: time }, index) => time - (entries[index - 1]?.at ?? 0));
  const longest = Math.max(1, ...waits);
  const width = 100 / Math.max(1, waits.length);
  byId("times").replaceChildren(...waits.map((wait, index) => {
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const height = 12 * Math.sqrt(wait / longest);
    for (const [name, value] of Object.entries({ x: index * width, y: 12 - height, width: width * 0.8, height })) bar.setAttribute(name, String(value));
    return bar;
  }));
}

/** Ask for the analysis until it is computed. @param {number} questions */
async function fetchAnalysis(questions) {
  const answer = await request(`/api/games/${data.id}/analysis/`).catch(() => null);
  if (answer?.state === "done") showAnalysis(answer.analysis);
  else if (answer?.state === "pending" && questions > 1) {
    say(byId("analysis"), gettext("The analysis is being computed."));
    setTimeout(() => fetchAnalysis(questions - 1), ASK_AGAIN);
  } else if (answer?.state === "failed") say(byId("analysis"), gettext("The analysis of this game could not be computed."));
  else say(byId("analysis"), gettext("The analysis cannot be fetched right now. Reload the page in a moment."));
}

/** @param {{ shortest: number | string | null, accuracy: number | null, critical: number[], steps: Analysed[] }} analysis */
function showAnalysis(analysis) {
  analysed = analysis.steps;
  const moments = analysis.critical.map((version) => {
    const step = analysed[version - 1];
    const button = make("button", "button quiet", gettext("Move {version}: {action}", { version, action: actionText(step?.action ?? "") }));
    button.addEventListener("click", () => {
      byId("result").closest("dialog")?.close();
      go(version, 0);
    });
    return button;
  });
  for (const version of analysis.critical) byId("times").children[version - 1]?.classList.add("critical");
  const accuracy = analysis.accuracy === null ? "" : gettext("Accuracy {percent}%.", { percent: Math.round(analysis.accuracy) });
  byId("analysis").replaceChildren(make("p", "", `${shortestText(analysis.shortest)} ${accuracy}`), ...(moments.length ? [make("h3", "", gettext("Critical moments")), make("div", "row", ...moments)] : []));
  go(at, 0);
}

/** @param {number | string | null} shortest */
function shortestText(shortest) {
  if (typeof shortest === "number") return gettext("The deal can be won in {moves} moves.", { moves: shortest });
  return shortest === null ? gettext("This deal could not be won.") : gettext("It takes too long to find out whether this deal can be won.");
}

const view = steps.length ? new TableView(data.rules, () => /** @type {import("../play/notation.js").Step} */ (steps[at])) : null;
if (view) {
  slider.max = String(steps.length - 1);
  slider.addEventListener("input", () => go(Number(slider.value)));
  byId("step-back").addEventListener("click", () => go(at - 1));
  byId("step-on").addEventListener("click", () => go(at + 1));
  byId("run").addEventListener("click", toggle);
  byId("speed").addEventListener("click", () => {
    speed = (speed + 1) % SPEEDS.length;
    say(byId("speed-now"), `${SPEEDS[speed]}×`);
  });
  for (const id of ["at", "step-back", "run", "step-on", "speed"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = false;
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || document.querySelector("dialog[open]")) return;
    if (event.key === "ArrowLeft") go(at - 1);
    if (event.key === "ArrowRight") go(at + 1);
    if (event.key === " " && event.target === document.body) toggle();
  });
  drawTimes();
  go(at, 0);
  if (data.is_public && data.may_ask) fetchAnalysis(MOST_QUESTIONS);
}
followTables();
