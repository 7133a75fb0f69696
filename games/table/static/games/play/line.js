// Signs of the line to the server: a dot as soon as an answer is missing, a sentence after three seconds (at once without
// a network), and a veil where only the player can go on.
import { byId, say } from "../dom.js";
import { gettext } from "../texts.js";

const WORDS_AFTER = 2300; // milliseconds after the dot
const BACK_FOR = 2500;

/** @type {Record<number, () => { title: string, text: string, button: string }>} */
const VEILS = {
  4409: () => ({ title: gettext("Played elsewhere"), text: gettext("This game goes on in another tab or on another device. The clock has not stopped."), button: gettext("Play here") }),
  4408: () => ({ title: gettext("Are you still there?"), text: gettext("The connection was closed because nothing happened for a while. Your moves are safe."), button: gettext("Go on") }),
  4403: () => ({ title: gettext("This game cannot be watched yet"), text: gettext("Its deal can still be played for a score. Come back when your own attempt has ended."), button: "" }),
  4404: () => ({ title: gettext("There is no such game"), text: gettext("It may not have begun yet."), button: "" }),
  4401: () => ({ title: gettext("You are no longer signed in"), text: gettext("Sign in again, and the game goes on where it was."), button: gettext("Reload the page") }),
};

export class LineSigns {
  /** @param {(code: number) => void} again what the button of the veil does, by the code with which the line has ended @param {(isVeiled: boolean) => void} veiled */
  constructor(again, veiled) {
    this.veiled = veiled;
    this.dot = byId("line-dot");
    this.words = byId("line-words");
    this.veil = byId("veil");
    this.button = byId("veil-button");
    this.button.addEventListener("click", () => {
      this.cover(false);
      again(this.code);
    });
    this.code = 0;
    this.hasSpoken = false;
    /** @type {any} */
    this.timer = null;
  }

  /** @param {import("../client/game-client.js").Line} line */
  show({ line, code }) {
    if (line === "open") return this.showOpen();
    if (line === "stopped") return this.showVeil(code);
    if (!this.isLost) this.timer = setTimeout(() => this.speak(gettext("No answer. Your moves are kept and will be sent.")), WORDS_AFTER);
    this.dot.classList.add("lost");
    if (!navigator.onLine) this.speak(gettext("You are offline. Your moves are kept and will be sent."));
  }

  get isLost() {
    return this.dot.classList.contains("lost");
  }

  /** @param {string} text */
  speak(text) {
    clearTimeout(this.timer);
    this.hasSpoken = true;
    say(this.words, text);
  }

  showOpen() {
    if (this.isLost) clearTimeout(this.timer);
    this.dot.classList.remove("lost");
    this.cover(false);
    if (!this.hasSpoken) return;
    this.hasSpoken = false;
    say(this.words, gettext("Back. Nothing was lost."));
    this.timer = setTimeout(() => say(this.words, ""), BACK_FOR);
  }

  /** @param {number} code */
  showVeil(code) {
    this.code = code;
    const words = VEILS[code]?.() ?? { title: gettext("The connection has ended"), text: gettext("Your moves are safe."), button: gettext("Go on") };
    clearTimeout(this.timer);
    say(this.words, "");
    this.dot.classList.add("lost");
    say(byId("veil-title"), words.title);
    say(byId("veil-text"), words.text);
    say(this.button, words.button);
    this.button.hidden = !words.button;
    this.cover(true);
    if (words.button) this.button.focus();
  }

  /** Let the veil cover the table, which does not react meanwhile, or no longer. @param {boolean} isVeiled */
  cover(isVeiled) {
    if (this.veil.hidden !== isVeiled) return;
    this.veil.hidden = !isVeiled;
    byId("table").inert = isVeiled;
    this.veiled(isVeiled);
  }
}
