// A streak or a storm: one puzzle after another on one table, until the first mistake or until the time is up.
import { openDialog } from "../dialogs.js";
import { byId, readOut, say } from "../dom.js";
import { request, submit } from "../http.js";
import { statusOf } from "../play/announce.js";
import { enable, runClock } from "../play/hud.js";
import { Attempt, reasonOf, tell, winOf } from "../puzzles/attempt.js";
import { dataOf, gettext, ngettext } from "../texts.js";

/** @typedef {import("../puzzles/attempt.js").Loss} Loss */
/** @typedef {import("../puzzles/attempt.js").Solution} Solution */
/** @typedef {{ number: number, position: string, choices: number, removals: number, removed: string[] }} Shown */
/** @typedef {{ id: string, kind: "streak" | "storm", state: "running" | "over", solved: number, mistakes: number, best: number, ends_at: string | null, server_now: string, shown: Shown | null }} Run */
/** @typedef {{ state: "wrong" | "goes_on" | "solved", mistake: { puzzle: string, loss: Loss, solution: Solution } | null, run: Run }} Step */

const LATE = 300; // milliseconds after the end of a storm at which the page asks how it ended
const ASK_AGAIN = 5000; // milliseconds, while the server cannot be reached

const data = dataOf("run");
/** @type {Run} */
let run = data.run;
let receivedAt = performance.now();
let timer = 0;

const attempt = new Attempt(data.rules, run.shown?.position ?? "", judge);
attempt.removed = run.shown?.removed ?? [];

/** Return the milliseconds that are left of a storm, by the server's clock. */
const left = () => (run.ends_at ? Date.parse(run.ends_at) - Date.parse(run.server_now) - (performance.now() - receivedAt) : 0);

/** @param {string} action @param {import("../play/notation.js").Step} before */
async function judge(action, before) {
  attempt.isAsking = true;
  refresh();
  const moves = [...attempt.removed, action];
  const answer = await submit(`/api/puzzles/runs/${run.id}/removals/`, { number: run.shown?.number, moves });
  attempt.isAsking = false;
  if (answer.message) {
    attempt.rollBack(action, before);
    tell(answer.message);
    if (answer.json?.code === "run_over" || answer.json?.code === "stale_puzzle") await load();
  } else take(answer.json, action, moves);
  refresh();
}

/** @param {Step} step @param {string} action @param {string[]} moves */
function take(step, action, moves) {
  update(step.run);
  if (step.run.state === "over") return conclude(step.mistake, action, moves.length - 1);
  if (step.state === "goes_on") {
    attempt.removed = moves;
    return tell(gettext("Right. Now find the next one."));
  }
  next();
  tell(step.state === "solved" ? gettext("Right. The next puzzle.") : gettext("That loses: ten seconds less. The next puzzle."));
}

/** @param {Run} later */
function update(later) {
  run = later;
  receivedAt = performance.now();
  figure("solved", run.solved);
  figure("best", Math.max(run.best, run.solved));
  clearTimeout(timer);
  if (run.kind === "storm" && run.state === "running") timer = setTimeout(load, left() + LATE);
}

/** @param {string} name @param {number} value */
function figure(name, value) {
  for (const element of document.querySelectorAll(`[data-figure="${name}"]`)) say(element, String(value));
}

function next() {
  if (run.shown) attempt.begin(run.shown.position, run.shown.removed);
}

/** Ask the server how the run stands, until it says so. */
async function load() {
  const found = await request(`/api/puzzles/runs/${run.id}/`).catch(() => null);
  if (!found) {
    clearTimeout(timer);
    timer = setTimeout(load, ASK_AGAIN);
    return tell(gettext("The server cannot be reached right now."));
  }
  update(found);
  if (run.state === "over") conclude(null, "", 0);
  else next();
  refresh();
}

/** @param {Step["mistake"]} mistake @param {string} action @param {number} found */
function conclude(mistake, action, found) {
  attempt.result = "over";
  const title = ngettext("{count} puzzle solved", "{count} puzzles solved", run.solved);
  tell(title);
  say(byId("verdict-title"), title);
  say(byId("verdict-text"), mistake ? reasonOf(action, mistake.loss) : endOf(run));
  say(byId("verdict-right"), mistake ? winOf(mistake.solution, found) : "");
  openDialog("verdict");
}

/** @param {Run} over */
const endOf = ({ kind, mistakes }) => (kind === "storm" ? ngettext("The time is up. {count} mistake.", "The time is up. {count} mistakes.", mistakes) : "");

async function end() {
  const answer = await submit(`/api/puzzles/runs/${run.id}/end/`, {});
  if (answer.message) return tell(answer.message);
  update(answer.json);
  conclude(null, "", 0);
  refresh();
}

function refresh() {
  enable("draw", attempt.canAct);
  enable("again", !attempt.isAsking && attempt.isPlayed && attempt.shown !== attempt.start);
  enable("end", !attempt.isAsking && attempt.isPlayed);
}

attempt.wire(
  {
    draw: () => attempt.canAct && attempt.view.draw(),
    end,
    again: () => attempt.isPlayed && attempt.begin("", attempt.removed),
    status: () => readOut(byId("polite"), statusOf(attempt.view.shown)),
    keys: () => openDialog("menu"),
  },
  refresh,
);
if (run.kind === "storm") runClock(left)();
update(run);
