// The room of a race: who is in it, the countdown, and the commands. At the start everyone goes to their own game.
import { byId, say } from "../dom.js";
import { send } from "../http.js";
import { followRace } from "../race-table.js";
import { clockText, gettext, ngettext } from "../texts.js";

/** @typedef {import("../client/race-client.js").Race} Race */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-race]"));
const own = root.dataset.own ?? "";
const status = byId("race-status"), clock = byId("race-clock");
let wasWaiting = false;
/** @type {Race | null} */
let shown = null;

const client = followRace(root, show);

/** @param {Race} race */
function show(race) {
  shown = race;
  const isWaiting = race.state === "open" || race.state === "countdown";
  const isIn = race.racers.some(({ handle }) => handle === own);
  // Racers who wait on this page are taken along; those who come back later decide for themselves.
  if (race.game && race.state === "running" && wasWaiting) return location.assign(`/games/${race.game}/`);
  wasWaiting = isWaiting || (wasWaiting && race.state === "running");
  byId("invite").hidden = !race.invite || !isWaiting;
  shownIf("invitation", isIn && isWaiting);
  for (const form of document.querySelectorAll(".circle-invitation")) /** @type {HTMLElement} */ (form).hidden = !isIn || !isWaiting;
  shownIf("join", isWaiting && !isIn && (race.is_public || race.circle !== null));
  shownIf("start", isIn && race.state === "open" && race.host === own);
  /** @type {HTMLButtonElement} */ (byId("start")).disabled = race.racers.length < 2;
  shownIf("leave", isIn && isWaiting);
  shownIf("rematch", isIn && race.state === "ended" && root.dataset.cup === undefined);
  byId("rematch").textContent = race.rematch ? gettext("Join the rematch") : gettext("Rematch");
  const game = /** @type {HTMLAnchorElement} */ (byId("own-game"));
  game.hidden = !race.game;
  if (race.game) game.href = `/games/${race.game}/`;
  game.classList.toggle("quiet", race.state === "ended");
  say(status, wordsOf(race, isIn));
  tick();
}

/** @param {Race} race @param {boolean} isIn */
function wordsOf(race, isIn) {
  if (race.state === "ended" && race.end === "cancelled") return gettext("This race was called off.");
  if (race.state === "ended") return gettext("The race is over.");
  if (race.state === "running") return gettext("The race is running.");
  if (race.state === "countdown" || race.starts_at) return gettext("The race starts soon.");
  if (race.racers.length < 2) return gettext("Waiting for others.");
  if (isIn && race.host === own) return gettext("Everyone here? Start the race.");
  return gettext("Waiting for the host to start the race.");
}

/** @param {string} id @param {boolean} isShown */
function shownIf(id, isShown) {
  byId(id).hidden = !isShown;
}

/** Show the time to the start, then to the end, by the server's clock. */
function tick() {
  const until = shown?.state === "running" ? shown.ends_at : shown?.state === "ended" ? null : (shown?.starts_at ?? null);
  const left = until ? Math.max(0, Date.parse(until) - client.serverNow) : 0;
  clock.hidden = !until;
  const isCounting = shown?.state === "countdown";
  byId("race-says").classList.toggle("counting", isCounting);
  clock.textContent = isCounting ? String(Math.ceil(left / 1000)) : left > 60_000 ? clockText(left) : ngettext("{count} second", "{count} seconds", Math.ceil(left / 1000));
}

setInterval(tick, 250);
client.on("done", ({ race }) => {
  if (race !== shown?.id) location.assign(`/races/${race}/`);
  else if (leaving) location.assign("/races/");
});
client.on("refused", ({ message }) => say(status, gettext("Not possible. {reason}", { reason: message })));
client.on("line", ({ line, code }) => {
  if (line === "stopped" && code === 4404) location.assign("/races/");
});

let leaving = false;
for (const type of /** @type {const} */ (["start", "leave", "rematch"])) {
  byId(type).addEventListener("click", () => {
    if (client.open) return;
    leaving = type === "leave";
    client.send({ type });
  });
}

// Sent without leaving the page, which may be about to follow the start.
byId("invitation").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (byId("invitation-handle"));
  const handle = field.value.trim().toLowerCase();
  if (!handle) return;
  const words = byId("invitation-status");
  const refused = await send(`/api/races/${root.dataset.race}/invitations/`, { handle });
  say(words, refused || gettext("You have invited {handle}.", { handle }));
  if (!refused) field.value = "";
});
