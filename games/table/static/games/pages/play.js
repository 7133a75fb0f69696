// The page of a game that is played or watched.
import { byId, readOut, say } from "../dom.js";
import { request } from "../http.js";
import { GameClient } from "../client/game-client.js";
import { Ending } from "../play/ending.js";
import { Game } from "../play/game.js";
import { enable, runClock, showFigure, showFigures } from "../play/hud.js";
import { listenToPointers } from "../play/input.js";
import { listenToKeys } from "../play/keys.js";
import { LineSigns } from "../play/line.js";
import { afterFrame } from "../play/motion.js";
import { readRecord } from "../play/notation.js";
import { PlayedTable } from "../play/player.js";
import { hintOf, statusOf } from "../play/announce.js";
import { reasonOf } from "../play/refusals.js";
import { openDialog, wireDialogs } from "../dialogs.js";
import { followTables } from "../live-table.js";
import { checkRelease, waitWhile } from "../release.js";
import { clockText, dataOf, gettext, ngettext } from "../texts.js";

const data = dataOf("game");
const HELLO = "pyramid_hello";
// The page was opened by the button that asks for the cards; a page opened in any other way waits.
const ASKED = "#deal";
const NOT_SIGNED_IN = 4401;
const LAST_MINUTES = 300_000;
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
/** @type {GameClient} */
const client = new GameClient({ address: () => `${scheme}//${location.host}${socketOfGame()}` });
// To read the first state takes long enough: it is shown in a task of its own.
const game = new Game(data.rules, client, (change) => (change.kind === "dealt" ? setTimeout(() => view.changed(change)) : view.changed(change)));
game.isPlayer = data.mode === "play";
const view = new PlayedTable(game, hello);
const beginsAtOnce = data.has_begun || data.mode === "watch" || location.hash === ASKED;
if (beginsAtOnce) view.firstAfter = 500;
if (location.hash === ASKED) setTimeout(() => history.replaceState(null, "", location.pathname + location.search));
const ending = new Ending(data.about);
const signs = new LineSigns(goOn, (isVeiled) => {
  game.isVeiled = isVeiled;
  refresh();
});
const polite = byId("polite"), assertive = byId("assertive");
const tick = runClock(() => client.elapsed, showEnd);
/** The number of moves that could be undone at each version, and the depth from which on the game cannot be won. */
const depths = /** @type {number[]} */ ([]);
let lostBelow = Infinity;
let wasAway = false;
const loadedAt = Date.now();

/** Messages are handled in turn, even if one has to wait for a record. */
let turn = Promise.resolve();

/** Today's attempt begins on the socket of the day; from its first state on it is a game like any other. @returns {string} */
function socketOfGame() {
  const { day, socket } = data;
  return day && !game.hasBegun && Date.now() - loadedAt < day.ms ? day.socket : socket;
}

/** @param {() => unknown} handle */
function inTurn(handle) {
  turn = turn.then(() => handle()).then(() => undefined, (error) => reportError(error));
}

client.on("state", (state) => inTurn(async () => {
  if (state.game !== data.id) return location.replace(`/games/${state.game}/`);
  const record = game.needsRecord(state) ? await fetchRecord() : null;
  const isFirst = !game.hasBegun, isDealt = isFirst && !data.has_begun;
  game.adopt(state, record);
  const left = isFirst && !isDealt ? pendingBefore() : null;
  if (left) game.goOn(left, state.version, record);
  byId("start").hidden = true;
  // The cards of a deal come first, in a task of their own, then the places, then the figures.
  await new Promise((done) => setTimeout(done));
  await new Promise((done) => view.table.whenPlaced(() => done(undefined)));
  refresh();
  // A finger needs no mark, which looks like a selection.
  if (isDealt && game.isPlayer && !matchMedia("(pointer: coarse)").matches) view.focusFirst();
}));
client.on("played", (played) => inTurn(() => {
  game.confirm(played);
  if (game.confirmed.past.length <= lostBelow && lostBelow < Infinity && played.isNews) lost(Infinity);
  view.speak();
  refresh();
}));
client.on("refused", (refused) => inTurn(() => {
  const isStale = refused.code === "stale_version";
  if (!refused.command && !isStale) return;
  game.rollBack();
  if (!isStale) {
    const text = gettext("Not possible. {reason}", { reason: reasonOf(refused) });
    hello(text);
    say(assertive, text);
  }
  refresh();
}));
client.on("hinted", ({ move, reason }) => inTurn(() => {
  game.hinted();
  refresh();
  if (game.waiting.length) return hello(""); // the player has gone on
  view.ring(move);
  hello(reason);
  readOut(polite, hintOf(view.shown, move, reason));
}));
client.on("unwinnable", ({ since }) => inTurn(() => lost(since === null ? -1 : (depths[since] ?? 0))));
client.on("finished", (summary) => inTurn(() => {
  game.result = summary.result;
  refresh();
  const inPyramid = game.confirmed.board.tableau.filter((card) => card >= 0).length;
  setTimeout(() => ending.show({ ...summary, in_pyramid: inPyramid }), summary.result === "won" ? 900 : 0);
}));
client.on("placed", (placed) => inTurn(() => ending.placed(placed)));
client.on("superseded", () => signs.showVeil(4409));
client.on("line", (line) => {
  signs.show(line);
  if (line.line === "open" && wasAway) checkRelease();
  wasAway = line.line !== "open";
});
waitWhile(() => Boolean(client.open) || game.waiting.length > 0 || document.querySelector(".card.lifted") !== null);

async function fetchRecord() {
  const answer = await request(`/api/games/${data.id}/record/`).catch(() => null);
  return answer && readRecord(answer.record);
}

/** Connect again where the veil has been lifted; a page whose reader has signed out is made for another one. @param {number} code */
function goOn(code) {
  if (code === NOT_SIGNED_IN) return location.reload();
  client.connect();
  view.focusAgain();
}

/** Show figures and what can be done. */
function refresh() {
  if (game.takeDropped()) {
    const text = gettext("The game has changed elsewhere. Your last taps were not played.");
    hello(text);
    say(assertive, text);
  }
  depths[client.version] = game.confirmed.past.length;
  showFigures(game);
  tick();
  enable("undo", game.canUndo && data.policy.undo);
  enable("redo", game.canRedo && data.policy.undo);
  enable("hint", game.canAct && data.policy.hints);
  enable("draw", game.canAct);
  enable("resign-now", game.isPlayed);
  const isStuck = game.isPlayer && game.outcome === "stuck" && game.result === "*" && !game.waiting.length;
  if (isStuck && byId("stuck").hidden) say(assertive, byId("stuck-text").textContent ?? "");
  byId("stuck").hidden = !isStuck;
  document.body.classList.toggle("begun", game.hasBegun);
}

/** Say that the game is lost, or with Infinity that it is not. @param {number} below so many moves deep it could still be won; -1: never */
function lost(below) {
  const isRegained = below === Infinity && lostBelow < Infinity;
  lostBelow = below;
  const undos = game.confirmed.past.length - below;
  const back = below < 0 ? "" : ngettext("Undo {count} move to save it.", "Undo {count} moves to save it.", undos);
  const what = below < 0 ? gettext("This deal cannot be won.") : gettext("You can no longer win.");
  const text = below === Infinity ? "" : `${what} ${back}`.trim();
  byId("lost").hidden = below === Infinity;
  byId("lost-undo").hidden = below < 0 || !data.policy.undo;
  say(byId("lost-text"), text);
  say(assertive, isRegained ? gettext("It can be won again.") : text);
}

/** Say why a key does nothing in this game. @param {string} code */
function refuse(code) {
  hello(reasonOf({ code, message: "" }));
  readOut(assertive, byId("hello").textContent ?? "");
}

/** While a hint is searched for, say so; for a longer time, that the server has to be prepared for it first. */
function sayWhileSearching() {
  const tell = (/** @type {string} */ text) => game.waiting.includes("H") && hello(text);
  setTimeout(() => tell(gettext("Looking for a good move …")), 700);
  setTimeout(() => tell(gettext("The server is being prepared for hints. Yours comes in a moment.")), 4000);
}

/** A line of help that goes away with the next move. @param {string} text */
function hello(text) {
  say(byId("hello"), text);
  byId("hello").hidden = !text;
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  undo: () => data.policy.undo && game.canUndo && view.act("U"),
  redo: () => data.policy.undo && game.canRedo && view.act("Y"),
  hint: () => (data.policy.hints ? game.canAct && game.act("H") && sayWhileSearching() : refuse("hints_not_allowed")),
  draw: () => game.canAct && view.draw(),
  resign: () => game.isPlayed && openDialog("sure"),
  "resign-now": () => game.giveUp(),
  new: () => openDialog("menu"),
  status: () => readOut(polite, statusOf(view.shown)),
  keys: () => openDialog("keys"),
};

/** @param {string} name */
function act(name) {
  hello("");
  ACTIONS[name]?.();
  refresh();
}

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => act(/** @type {HTMLElement} */ (button).dataset.action ?? ""));
}
if (game.isPlayer) listenToPointers(view, refresh);
listenToKeys(view, act);
for (const form of document.querySelectorAll("form[data-ends-game]")) {
  form.addEventListener("submit", askFirst);
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

/** In the middle of a game, ask before another one takes its place. @param {Event} event */
function askFirst(event) {
  if (game.result !== "*" || game.shown.moves === 0) return;
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  form.closest("dialog")?.close();
  byId("another-yes").onclick = () => form.submit();
  openDialog("another");
}

wireDialogs();
followTables();

/** Open the socket: the clock starts with the first state, so only a person does this for a game that has not begun. */
function begin() {
  byId("start").hidden = true;
  client.connect();
  // The storage is slow to open.
  afterFrame(() => game.isPlayer && !localStorageHas(HELLO) && hello(byId("hello").dataset.first ?? ""));
}

function localStorageHas(/** @type {string} */ key) {
  try {
    const has = localStorage.getItem(key) !== null;
    localStorage.setItem(key, "1");
    return has;
  } catch {
    return false; // cookies and storage are refused: the line is shown each time
  }
}

/** In the last minutes in which a game may be played, show how long it may, and say so once. */
function showEnd() {
  const left = loadedAt + data.left_ms - Date.now(), ends = byId("ends");
  const isNear = left > 0 && left < LAST_MINUTES;
  if (isNear) showFigure("ends", clockText(left));
  if (isNear && ends.hidden) say(polite, ends.textContent ?? "");
  ends.hidden = !isNear;
}

/** Leave the pending actions to the next page of this game in this tab. */
function leave() {
  const waiting = game.waiting.filter((action) => action !== "H");
  try {
    sessionStorage.setItem(data.id, JSON.stringify({ version: client.version, waiting }));
  } catch {} // storage is refused
}

/** @returns {{ version: number, waiting: string[] } | null} */
function pendingBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(data.id) ?? "null");
  } catch {
    return null;
  }
}

const dealButton = /** @type {HTMLButtonElement} */ (byId("deal"));
dealButton.addEventListener("click", begin);
dealButton.disabled = false;
for (const type of ["visibilitychange", "pageshow", "online"]) {
  addEventListener(type, () => document.hidden || client.wake(), { capture: true });
}
addEventListener("offline", () => client.lose());
for (const type of ["visibilitychange", "pagehide"]) addEventListener(type, leave, { capture: true });
// To compile and run this script has taken long enough.
if (beginsAtOnce) whenSeen(() => setTimeout(begin));
else offerToDeal();

/** Leave it to the player to start the clock. */
function offerToDeal() {
  byId("start").hidden = false;
  dealButton.focus({ preventScroll: true });
}

/** Call back once the page is looked at, neither prerendered nor hidden. @param {() => void} callback */
function whenSeen(callback) {
  if (!document.hidden) callback();
  else document.addEventListener("visibilitychange", callback, { once: true });
}
