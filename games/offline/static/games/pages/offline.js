// A table for practice without a line: cards are shuffled here, and nothing is sent anywhere.
import { openDialog, wireDialogs } from "../dialogs.js";
import { byId, readOut, say } from "../dom.js";
import { Dealer } from "../offline/dealer.js";
import { statusOf } from "../play/announce.js";
import { Game } from "../play/game.js";
import { enable, runClock, showFigures } from "../play/hud.js";
import { listenToPointers } from "../play/input.js";
import { listenToKeys } from "../play/keys.js";
import { PlayedTable } from "../play/player.js";
import { stockSize } from "../play/rules.js";
import { showOptions } from "../options.js";
import { clockText, dataOf, gettext, ngettext } from "../texts.js";

const OWN_ADDRESS = "/offline/"; // elsewhere it stands in for a page that did not come
const ASK_AGAIN = 10_000; // milliseconds
/** @type {Record<string, { title: string, hello: string, rules: import("../play/rules.js").Rules }>} */
const ruleSets = dataOf("rule-sets");
const asked = location.hash.slice(1);
const slug = asked in ruleSets ? asked : "standard";
const { title, hello, rules } = /** @type {typeof ruleSets[string]} */ (ruleSets[slug]);

const polite = byId("polite"), assertive = byId("assertive");
const dealer = new Dealer(rules, (played) => {
  game.confirm(played);
  view.speak();
  refresh();
});
/** @type {Game} */
const game = new Game(rules, dealer, (change) => view.changed(change));
/** @type {PlayedTable} */
const view = new PlayedTable(game, tell);
let began = 0, ended = 0;
const elapsed = () => (began ? (ended || performance.now()) - began : 0);
const tick = runClock(elapsed);

/** A line that goes away with the next action. @param {string} text */
function tell(text) {
  say(byId("hello"), text);
  byId("hello").hidden = !text;
}

function begin() {
  byId("start").hidden = true;
  began = performance.now();
  game.adopt(dealer.state(), null);
  tell(hello);
  refresh();
  view.focusFirst();
}

/** Show figures, what can be done, and the end. */
function refresh() {
  showFigures(game);
  tick();
  enable("undo", game.canUndo);
  enable("redo", game.canRedo);
  enable("draw", game.canAct);
  const isStuck = game.outcome === "stuck";
  if (isStuck && byId("stuck").hidden) say(assertive, byId("stuck-text").textContent ?? "");
  byId("stuck").hidden = !isStuck;
  document.body.classList.toggle("begun", game.hasBegun);
  if (game.outcome === "won" && !ended) win();
}

function win() {
  ended = performance.now();
  game.result = "won";
  const { moves } = game.shown;
  say(byId("end-text"), ngettext("{count} move in {time}.", "{count} moves in {time}.", moves, { time: clockText(elapsed()) }));
  setTimeout(() => openDialog("end"), 900);
}

/** Deal again, by other rules too. @param {string} chosen */
function dealAgain(chosen) {
  location.hash = chosen;
  location.reload();
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  undo: () => game.canUndo && view.act("U"),
  redo: () => game.canRedo && view.act("Y"),
  draw: () => game.canAct && view.draw(),
  status: () => readOut(polite, statusOf(view.shown)),
  new: () => openDialog("menu"),
  keys: () => openDialog("keys"),
  again: () => dealAgain(/** @type {HTMLSelectElement} */ (byId("rules")).value),
};

/** @param {string} name */
function act(name) {
  tell("");
  ACTIONS[name]?.();
  refresh();
}

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => act(/** @type {HTMLElement} */ (button).dataset.action ?? ""));
}
listenToPointers(view, refresh);
listenToKeys(view, act);
wireDialogs();
showOptions(); // the page may have been kept before something was chosen

for (const element of document.querySelectorAll("[data-title]")) say(element, title);
/** @type {Record<string, boolean>} */
const has = { stock: stockSize(rules) > 0, cells: rules.cells > 0 };
for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-needs]"))) element.hidden = !has[element.dataset.needs ?? ""];
const choice = /** @type {HTMLSelectElement} */ (byId("rules"));
choice.value = slug;
const dealButton = /** @type {HTMLButtonElement} */ (byId("deal"));
dealButton.addEventListener("click", begin);
dealButton.disabled = false;

let isOnline = true, timer = 0;

/** Show whether there is a connection: a device with a network may still not reach the server. */
async function showLine() {
  const wasOnline = isOnline;
  isOnline = navigator.onLine && (await reachesServer());
  byId("offline-note").hidden = isOnline;
  byId("online-note").hidden = !isOnline;
  clearTimeout(timer);
  if (!isOnline && navigator.onLine) timer = setTimeout(showLine, ASK_AGAIN);
  if (!isOnline || wasOnline) return;
  if (began) say(polite, gettext("You are online again."));
  else if (location.pathname !== OWN_ADDRESS) goOn();
}

function reachesServer() {
  return fetch("/release/", { cache: "no-store" }).then(({ status }) => status < 500, () => false);
}

/** Go on to the page that was asked for and did not come. */
function goOn() {
  if (location.pathname === OWN_ADDRESS) return location.assign("/practice/");
  location.hash = "";
  location.reload();
}

addEventListener("offline", showLine);
addEventListener("online", showLine);
showLine();
byId("go-on").addEventListener("click", goOn);
byId("own-game").hidden = !location.pathname.startsWith("/games/");
showFigures(game);
if (asked in ruleSets) begin();
