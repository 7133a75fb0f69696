// The number of unread notifications in the header of every page.
import { NewsClient } from "./client/news-client.js";
import { byId, make } from "./dom.js";
import { ngettext } from "./texts.js";

const CONNECT_AFTER = 1000; // a page that is only passed through opens no socket
const CLOSE_AFTER = 60_000; // of being hidden
const NOT_SIGNED_IN = 4401;

const mark = byId("unread");
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
export const client = new NewsClient({ address: () => `${scheme}//${location.host}/ws/me/` });
let isOver = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

client.on("news", ({ unread, notifications }) => {
  dispatchEvent(new CustomEvent("news", { detail: notifications }));
  mark.hidden = !unread;
  mark.replaceChildren(String(unread), make("span", "unseen", ` ${ngettext("unread notification", "unread notifications", unread)}`));
});
client.on("line", ({ code }) => (isOver ||= code === NOT_SIGNED_IN && !client.isWanted));

/** Listen while the page is visible, and for a while longer. */
function listen() {
  clearTimeout(timer);
  if (document.hidden) timer = setTimeout(() => client.disconnect(), CLOSE_AFTER);
  else if (client.isWanted) client.wake();
  else if (!isOver) timer = setTimeout(() => client.connect(), CONNECT_AFTER);
}

for (const type of ["visibilitychange", "pageshow", "online"]) addEventListener(type, listen, { capture: true });
addEventListener("pagehide", () => client.disconnect());
listen();
