// The figures beside the table, and its buttons: time, moves, cards left, pass, stock; what can be pressed.
import { say } from "../dom.js";
import { clockText, gettext } from "../texts.js";
import { cardsLeft } from "./position.js";

/** @typedef {import("./game.js").Game} Game */

const TICK = 250;

/** The figures and buttons of the page, which stay; every move asks for most of them. @type {Map<string, Element[]>} */
const found = new Map();

/** @param {string} selector */
function allOf(selector) {
  const elements = found.get(selector) ?? [...document.querySelectorAll(selector)];
  found.set(selector, elements);
  return elements;
}

/** @param {string} figure @param {string} text */
export function showFigure(figure, text) {
  for (const element of allOf(`[data-figure="${figure}"]`)) say(element, text);
}

/** Let the buttons of an action be pressed, or not. @param {string} action @param {boolean} isPossible */
export function enable(action, isPossible) {
  for (const button of allOf(`[data-action="${action}"]`)) /** @type {HTMLButtonElement} */ (button).disabled = !isPossible;
}

/** Show the figures of a game as it is now. @param {Game} game */
export function showFigures({ rules, shown, waiting, confirmed }) {
  const { board } = shown;
  showFigure("moves", String(confirmed.moves + waiting.filter((action) => action !== "H").length));
  showFigure("left", String(cardsLeft(rules, board)));
  showFigure("stock", String(board.stock.length));
  showFigure("pass", passText(rules.passes, board.recycles));
}

/** @param {number | null} passes @param {number | null} recycles */
function passText(passes, recycles) {
  if (passes === null || recycles === null) return "∞";
  return gettext("{pass} of {passes}", { pass: passes - recycles, passes });
}

/** Let the clock run on the page. It is silent for screen readers. @param {() => number} elapsed milliseconds @param {() => void} [also] what else a moment changes */
export function runClock(elapsed, also) {
  const tick = () => {
    if (document.hidden) return;
    showFigure("time", clockText(elapsed()));
    also?.();
  };
  setInterval(tick, TICK);
  return tick;
}
