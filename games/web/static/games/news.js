// A player's own news on every page: the number of unread notifications in the header, and a line that tells of a new
// one, though not to somebody who plays.
import { NewsClient } from "./client/news-client.js";
import { byId, make } from "./dom.js";
import { send } from "./http.js";
import { gettext, ngettext } from "./texts.js";

/** @typedef {import("pyramid-client/me-messages").Notification} Notification */

const CONNECT_AFTER = 1000; // a page that is only passed through opens no socket
const CLOSE_AFTER = 60_000; // of being hidden
const NOT_SIGNED_IN = 4401;

const mark = /** @type {HTMLAnchorElement} */ (byId("unread")), line = byId("news");
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const client = new NewsClient({ address: () => `${scheme}//${location.host}/ws/me/` });
const isPlaying = document.body.classList.contains("game");
let isOver = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

client.on("news", ({ unread, notifications: [newest] }) => {
  count(unread);
  if (!unread) line.replaceChildren();
  else if (newest && !isPlaying) tell(newest, unread);
});
client.on("line", ({ code }) => (isOver ||= code === NOT_SIGNED_IN && !client.isWanted));

/** @param {number} unread */
function count(unread) {
  mark.hidden = !unread;
  mark.replaceChildren(String(unread), make("span", "unseen", ` ${ngettext("unread notification", "unread notifications", unread)}`));
}

/** @param {Notification} newest @param {number} unread */
function tell({ id, words, page }, unread) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", words));
  link.href = page || mark.href;
  if (page) link.dataset.notification = String(id);
  const close = /** @type {HTMLButtonElement} */ (make("button", "button quiet", gettext("Close")));
  close.type = "button";
  close.addEventListener("click", () => line.replaceChildren());
  line.replaceChildren(link, close);
}

/** Read a notification by following its link, here or in the list. @param {MouseEvent} event */
function follow({ target }) {
  const link = /** @type {HTMLElement} */ (target).closest("[data-notification]");
  if (!(link instanceof HTMLElement)) return;
  send("/api/me/notifications/read/", { up_to: Number(link.dataset.notification), only: true });
  line.replaceChildren();
}

/** Listen while the page is looked at, and for a while longer. */
function listen() {
  clearTimeout(timer);
  if (document.hidden) timer = setTimeout(() => client.disconnect(), CLOSE_AFTER);
  else if (client.isWanted) client.wake();
  else if (!isOver) timer = setTimeout(() => client.connect(), CONNECT_AFTER);
}

for (const type of ["visibilitychange", "pageshow", "online"]) addEventListener(type, listen, { capture: true });
addEventListener("pagehide", () => client.disconnect());
addEventListener("click", follow);
addEventListener("auxclick", follow);
listen();
