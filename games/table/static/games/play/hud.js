// The figures beside the table: time, moves, cards left, pass, stock.
import { say } from "../dom.js";
import { clockText, gettext } from "../texts.js";
import { cardsLeft } from "./position.js";

/** @typedef {import("./game.js").Game} Game */

const TICK = 250;

/** @param {string} figure @param {string} text */
function showFigure(figure, text) {
  for (const element of document.querySelectorAll(`[data-figure="${figure}"]`)) say(element, text);
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

/** Let the clock run on the page. It is silent for screen readers. @param {() => number} elapsed milliseconds */
export function runClock(elapsed) {
  const tick = () => {
    if (!document.hidden) showFigure("time", clockText(elapsed()));
  };
  setInterval(tick, TICK);
  return tick;
}
