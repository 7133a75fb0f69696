// Today and the days: countdowns by the server's clock, and tables that follow their sockets.
import { followTables } from "../live-table.js";
import { say } from "../dom.js";
import { gettext } from "../texts.js";

const today = document.getElementById("today");
const serverAhead = Date.parse(today?.dataset.serverNow ?? new Date().toISOString()) - Date.now();

/** @param {number} milliseconds */
function clock(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Return the state at a time, its name, and what is left of it in words. @param {DOMStringMap} times @param {number} now */
function describe({ closesAt, finishBy }, now) {
  const toClose = Date.parse(closesAt ?? "") - now;
  const toFinish = Date.parse(finishBy ?? "") - now;
  if (toClose > 0) return { state: "open", name: gettext("Open"), left: gettext("closes in {time}", { time: clock(toClose) }) };
  if (toFinish > 0) return { state: "closing", name: gettext("Closing"), left: gettext("games end in {time}", { time: clock(toFinish) }) };
  return { state: "closed", name: gettext("Closed"), left: gettext("the deal is revealed") };
}

/** @param {HTMLElement} countdown @param {number} now */
function show(countdown, now) {
  const { state, name, left } = describe(countdown.dataset, now);
  const badge = /** @type {HTMLElement} */ (countdown.querySelector(".state"));
  const notice = /** @type {HTMLElement | null} */ (document.querySelector(".new-day"));
  if (badge.dataset.state === "open" && state !== "open" && notice) notice.hidden = false;
  badge.dataset.state = state;
  say(badge, name);
  say(countdown.querySelector(".left"), left);
}

function tick() {
  const now = Date.now() + serverAhead;
  for (const countdown of document.querySelectorAll(".countdown")) show(/** @type {HTMLElement} */ (countdown), now);
  setTimeout(tick, 1000 - (now % 1000));
}

tick();
followTables();
