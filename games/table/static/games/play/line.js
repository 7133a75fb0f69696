// Signs of the line to the server: a dot, a sentence after three seconds, and a veil where only the player can go on.
import { byId, say } from "../dom.js";
import { gettext } from "../texts.js";

const DOT_AFTER = 500, WORDS_AFTER = 3000, BACK_FOR = 2500;

/** @type {Record<number, () => { title: string, text: string, button: string }>} */
const VEILS = {
  4409: () => ({ title: gettext("Played on another device"), text: gettext("This game goes on there. The clock has not stopped."), button: gettext("Play here") }),
  4408: () => ({ title: gettext("Are you still there?"), text: gettext("The connection was closed because nothing happened for a while. Your moves are safe."), button: gettext("Go on") }),
  4403: () => ({ title: gettext("This game cannot be watched yet"), text: gettext("Its deal can still be played for a score. Come back when your own attempt has ended."), button: "" }),
  4404: () => ({ title: gettext("There is no such game"), text: gettext("It may not have begun yet."), button: "" }),
  4401: () => ({ title: gettext("You are no longer signed in"), text: gettext("Sign in again, and the game goes on where it was."), button: gettext("Reload the page") }),
};

export class LineSigns {
  /** @param {() => void} again what the button of the veil does */
  constructor(again) {
    this.dot = byId("line-dot");
    this.words = byId("line-words");
    this.veil = byId("veil");
    this.button = byId("veil-button");
    this.button.addEventListener("click", () => {
      this.hideVeil();
      again();
    });
    this.hasSpoken = false;
    /** @type {any[]} */
    this.timers = [];
  }

  /** @param {import("../client/game-client.js").Line} line */
  show({ line, code }) {
    for (const timer of this.timers) clearTimeout(timer);
    if (line === "open") return this.showOpen();
    if (line === "stopped") return this.showVeil(code);
    this.timers = [
      setTimeout(() => this.dot.classList.add("lost"), DOT_AFTER),
      setTimeout(() => {
        this.hasSpoken = true;
        say(this.words, gettext("Reconnecting. Your moves are safe."));
      }, WORDS_AFTER),
    ];
  }

  showOpen() {
    this.dot.classList.remove("lost");
    this.hideVeil();
    if (!this.hasSpoken) return;
    this.hasSpoken = false;
    say(this.words, gettext("Back. Nothing was lost."));
    this.timers = [setTimeout(() => say(this.words, ""), BACK_FOR)];
  }

  /** @param {number} code */
  showVeil(code) {
    const words = VEILS[code]?.() ?? { title: gettext("The connection has ended"), text: gettext("Your moves are safe."), button: gettext("Go on") };
    this.dot.classList.add("lost");
    say(byId("veil-title"), words.title);
    say(byId("veil-text"), words.text);
    say(this.button, words.button);
    this.button.hidden = !words.button;
    this.veil.hidden = false;
    if (words.button) this.button.focus();
  }

  hideVeil() {
    this.veil.hidden = true;
  }
}
