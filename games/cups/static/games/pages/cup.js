// A cup that lives: its socket says who has removed cards, which is shown at once, and when its part of the page is old.
import { say } from "../dom.js";

const LONGEST_WAIT = 30_000; // milliseconds
const SPREAD = 2000; // within which all who watch load the page again

/** @type {WebSocket | undefined} */
let socket;
let attempts = 0;
let isFresh = true; // the page is as new as the bracket that the socket sends first

function follow() {
  const { cup, division, state } = part().dataset;
  if (document.hidden || state === "ended") return socket?.close();
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const own = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/cups/${cup}/${division}/`);
  socket = own;
  own.onmessage = ({ data }) => {
    attempts = 0;
    const message = JSON.parse(data);
    if (message.type === "progress" ? !message.seats.every(showCards) : !isFresh) soon();
    isFresh = false;
  };
  own.onclose = ({ code }) => {
    if (code === 4404 || document.hidden || own !== socket) return;
    attempts += 1;
    setTimeout(follow, Math.min(LONGEST_WAIT, 1000 * 2 ** attempts) * (0.5 + Math.random() / 2));
  };
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
  asked.addEventListener("load", () => show(asked.response?.getElementById("cup-live")));
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
