// Beside one's own table: how far the other racers are, one's place among them, and at the end their results and a rematch.
import { byId, make, say } from "../dom.js";
import { followRace, inPlaces, resultOf } from "../race-table.js";
import { clockText, gettext, ngettext } from "../texts.js";

/** @typedef {import("../client/race-client.js").Race} Race */
/** @typedef {import("../client/race-client.js").Racer} Racer */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-race]"));
const rematch = /** @type {HTMLButtonElement | null} */ (document.getElementById("end-rematch")); // which the match of a cup lacks
const client = followRace(root, (race) => {
  const place = inPlaces(race).find(({ racer }) => racer.handle === root.dataset.own)?.place;
  for (const figure of document.querySelectorAll("[data-race-place]")) say(figure, place ? `${place}/${race.racers.length}` : "–");
  if (document.getElementById("end-racers")) showEnd(race); // which a replay lacks
});

/** Show the results in the dialog of the end. @param {Race} race */
function showEnd(race) {
  const isOver = race.state === "ended";
  say(byId("end-racing"), isOver ? gettext("The race is over.") : gettext("Others are still racing."));
  byId("end-racers").replaceChildren(...inPlaces(race).map(({ racer, place }) => itemOf(racer, place)));
  if (!rematch) return;
  rematch.hidden = !isOver;
  rematch.textContent = race.rematch ? gettext("Join the rematch") : gettext("Rematch");
  byId("end-room").hidden = isOver;
}

/** @param {Racer} racer @param {number} place */
function itemOf(racer, place) {
  const who = make("bdi", "", racer.display_name);
  return Object.assign(make("li", racer.handle === root.dataset.own ? "you" : "", who, make("span", "", textOf(racer))), { value: place });
}

/** @param {Racer} racer */
function textOf(racer) {
  const left = racer.cards_left ? ngettext("{count} card left", "{count} cards left", racer.cards_left) : "";
  const time = racer.result === "won" ? clockText(racer.elapsed_ms ?? 0) : "";
  return [resultOf(racer), left, time].filter(Boolean).join(" · ");
}

rematch?.addEventListener("click", () => client.open || client.send({ type: "rematch" }));
client.on("done", ({ race }) => race !== root.dataset.race && location.assign(`/races/${race}/`));
