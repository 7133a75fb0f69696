// Beside one's own table: how far the other racers are, and one's place among them.
import { say } from "../dom.js";
import { followRace, inOrder } from "../race-table.js";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-race]"));
followRace(root, (race) => {
  const place = inOrder(race).findIndex(({ handle }) => handle === root.dataset.own) + 1;
  for (const figure of document.querySelectorAll("[data-race-place]")) say(figure, place ? `${place}/${race.racers.length}` : "–");
});
