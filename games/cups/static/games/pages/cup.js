// A cup that lives: its socket says who has removed cards, which is shown at once, and when its part of the page is old.
import { CupClient } from "../client/cup-client.js";
import { say } from "../dom.js";

const SPREAD = 2000; // milliseconds within which all who watch load the page again

let isFresh = true; // the page is as new as the bracket that the socket sends first
const client = new CupClient({
  address() {
    const { cup, division } = part().dataset;
    return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/cups/${cup}/${division}/`;
  },
});
client.on("bracket", () => {
  if (!isFresh) soon();
  isFresh = false;
});
client.on("progress", ({ seats }) => {
  if (!seats.every(showCards)) soon();
});

function follow() {
  if (document.hidden || part().dataset.state === "ended") client.disconnect();
  else client.connect();
}

/** Show how many cards an entrant has left, if the page has the match. @param {{ race: string, handle: string, cards_left: number }} seat */
function showCards({ race, handle, cards_left: left }) {
  const figure = document.querySelector(`[data-race="${CSS.escape(race)}"] [data-handle="${CSS.escape(handle)}"]`);
  say(figure, (figure?.textContent ?? "").replace(/\d+/, String(left)));
  return figure !== null;
}

/** @type {number | undefined} */
let waiting;

function soon() {
  waiting ??= setTimeout(renew, Math.random() * SPREAD);
}

function renew() {
  waiting = undefined;
  const asked = new XMLHttpRequest();
  asked.open("GET", location.href);
  asked.responseType = "document"; // parsed by the browser, which takes no markup from scripts
  asked.addEventListener("loadend", () => {
    if (asked.status === 200) show(asked.response?.getElementById("cup-live"));
    else setTimeout(soon, SPREAD); // the line is cut, or the server starts again
  });
  asked.send();
}

/** Show a newer part of the page; while someone is at a link in it by keyboard, a little later. @param {HTMLElement | null | undefined} fresh */
function show(fresh) {
  const live = part();
  if (!fresh || live.innerHTML === fresh.innerHTML) return;
  if (live.contains(document.activeElement)) return void setTimeout(soon, SPREAD);
  live.replaceWith(fresh);
  for (const form of document.querySelectorAll("[data-during]")) showDuring(/** @type {HTMLElement} */ (form), fresh.dataset.state);
  follow(); // which ends the socket of a cup that is over
}

/** Show what someone may be filling in, which is not replaced, while the cup is in its state. @param {HTMLElement} form @param {string | undefined} state */
function showDuring(form, state) {
  form.hidden = form.dataset.during !== state;
}

function part() {
  return /** @type {HTMLElement} */ (document.getElementById("cup-live"));
}

document.addEventListener("visibilitychange", follow);
follow();
