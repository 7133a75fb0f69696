// A line that shows a new notification, with its link, on the visible page. At a table it shows only the beginning of a
// match, which is forfeited within two minutes.
import { byId, make } from "../dom.js";
import { send } from "../http.js";
import { client } from "../news.js";
import { gettext } from "../texts.js";

const isGame = document.body.classList.contains("game");
const race = /** @type {HTMLElement | null} */ (document.querySelector("[data-race][data-own]"))?.dataset.race; // of the room, or of the game
const line = byId("news"), home = /** @type {HTMLElement} */ (line.parentElement);
const list = /** @type {HTMLAnchorElement} */ (byId("unread"));

client.on("news", ({ unread, notifications: [newest] }) => {
  if (!unread) line.replaceChildren();
  else if (newest && newest.subject === race) read(newest.id); // who is there needs no link to it
  else if (newest && (!isGame || newest.kind === "cup_match")) tell(newest);
});

/** @param {import("../client/news-client.js").Notification} newest */
function tell({ id, words, page }) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", words));
  link.href = page || list.href;
  if (page) link.dataset.notification = String(id);
  const close = /** @type {HTMLButtonElement} */ (make("button", "button quiet", gettext("Close")));
  close.type = "button";
  close.addEventListener("click", () => line.replaceChildren());
  line.replaceChildren(link, close);
  // An open dialog leaves nothing else on the page that can be pressed.
  (document.querySelector("dialog[open]") ?? home).append(line);
}

/** @param {number} id */
function read(id) {
  send("/api/me/notifications/read/", { up_to: id, only: true });
}

/** Following the link of a notification, here or in the list, marks it as read. @param {MouseEvent} event */
function follow({ target }) {
  const link = /** @type {HTMLElement} */ (target).closest("[data-notification]");
  if (!(link instanceof HTMLElement)) return;
  read(Number(link.dataset.notification));
  if (line.contains(link)) line.replaceChildren();
}

addEventListener("close", () => line.parentElement === home || home.append(line), { capture: true });
addEventListener("click", follow);
addEventListener("auxclick", follow);
