// The racers of a race in a table, and the connection that keeps it up to date.
import { RaceClient } from "./client/race-client.js";
import { listed, make, say } from "./dom.js";
import { clockText, gettext } from "./texts.js";

/** @typedef {import("./client/race-client.js").Race} Race */
/** @typedef {import("./client/race-client.js").Racer} Racer */

/** @type {Record<string, () => string>} */
const RESULTS = {
  playing: () => gettext("playing"),
  won: () => gettext("won"),
  stuck: () => gettext("stuck"),
  resigned: () => gettext("gave up"),
  expired: () => gettext("time is up"),
  absent: () => gettext("gone"),
};

/** Return the racers in their order so far, as the race ranks them; before the start as they came. @param {Race} race */
function inOrder({ state, tie_break: tieBreak, racers }) {
  if (state === "open" || state === "countdown") return racers;
  /** @param {Racer} racer */
  const effort = ({ elapsed_ms: elapsed, moves }) => (tieBreak === "time" ? [elapsed, moves] : [moves, elapsed]);
  /** @param {Racer} racer */
  const key = (racer) => [racer.place ?? 0, racer.cards_left ?? Infinity, ...(racer.result === "playing" ? [] : effort(racer))];
  return [...racers].sort((one, other) => compare(key(one), key(other)));
}

/** Return the racers in their order with their places, which racers with equal results share. @param {Race} race */
export const inPlaces = (race) => inOrder(race).map((racer, index) => ({ racer, place: racer.place ?? index + 1 }));

/** @param {(number | null)[]} one @param {(number | null)[]} other */
function compare(one, other) {
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs < 0 ? one.length - other.length : (one[differs] ?? 0) - (other[differs] ?? 0);
}

/** Show the racers in the table of an element. @param {HTMLElement} root @param {Race} race @param {string} own a handle */
export function showRacers(root, race, own) {
  const isNarrow = root.closest(".rail") !== null;
  const rows = inPlaces(race).map(({ racer, place }) => rowOf(racer, place, racer.handle === own, isNarrow));
  root.querySelector("tbody")?.replaceChildren(...rows);
}

/** @param {Racer} racer @param {number} place @param {boolean} isOwn @param {boolean} isNarrow */
function rowOf(racer, place, isOwn, isNarrow) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", ...listed(racer.display_name, racer.handle)));
  link.href = `/players/${racer.handle}/`;
  const who = make("th", "", link);
  who.setAttribute("scope", "row");
  const [left, moves] = [racer.cards_left, racer.moves].map((value) => make("td", "number", value === null ? "–" : String(value)));
  const result = resultOf(racer);
  const end = /** @type {HTMLAnchorElement} */ (make(racer.game ? "a" : "span", "", result));
  if (racer.game) end.href = `/games/${racer.game}/`;
  const wide = isNarrow ? [] : [make("td", "number", racer.result && racer.result !== "playing" ? clockText(racer.elapsed_ms ?? 0) : "–"), make("td", "", end, ...ratingOf(racer))];
  return make("tr", isOwn ? "you" : "", make("td", "rank", racer.result === null ? "" : String(place)), who, /** @type {Node} */ (left), /** @type {Node} */ (moves), ...wide);
}

/** Return a racer's result in words, "" before the start. @param {Racer} racer */
export function resultOf({ result }) {
  return result === null ? "" : (RESULTS[result]?.() ?? result);
}

/** Return a racer's rating after the race, and what the race changed of it. @param {Racer} racer */
function ratingOf({ rating }) {
  if (!rating) return [];
  const change = `${rating.change < 0 ? "−" : "+"}${Math.abs(rating.change)}`;
  return [" ", make("span", "beside", make("span", "unseen", ` ${gettext("rating")}`), `${rating.rating} (${change})`)];
}

/** Follow the race of an element with `data-race` while the page is looked at. @param {HTMLElement} root @param {(race: Race) => void} [changed] */
export function followRace(root, changed = () => {}) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const client = new RaceClient({ address: () => `${scheme}//${location.host}/ws/races/${root.dataset.race}/` });
  /** @param {{ race: Race }} event */
  const show = ({ race }) => {
    showRacers(root, race, root.dataset.own ?? "");
    changed(race);
  };
  client.on("room", show).on("standings", show);
  client.on("line", ({ line }) => {
    // A line that was lost is quiet, too, while it is dialed.
    if (line !== "quiet") say(root.querySelector(".status"), line === "waiting" ? gettext("The connection is lost. Trying again automatically.") : "");
  });
  for (const type of ["visibilitychange", "pageshow", "online"]) {
    addEventListener(type, () => document.hidden || client.wake(), { capture: true });
  }
  addEventListener("offline", () => client.lose());
  client.connect();
  return client;
}
