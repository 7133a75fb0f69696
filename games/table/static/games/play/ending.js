// The dialog at a game's end: result, ranks as they arrive, and what to do next.
import { byId, dialogOf, make, say } from "../dom.js";
import { clockText, exactTime, gettext, ngettext } from "../texts.js";

/** @typedef {{ result: string, moves: number, elapsed_ms: number, cards_left: number }} Summary */
/** @typedef {{ boards: { slug: string, title: string }[], handle: string, best: { moves: number, elapsed_ms: number } | null, share: string, page: string, is_ranked: boolean, cards: number }} About `cards` have to leave */

const TRIES = 8, BETWEEN_TRIES = 700;

export class Ending {
  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.dialog = dialogOf("end");
    /** @type {Map<string, { rank: number, of: number }>} */
    this.places = new Map();
    /** @type {Summary | null} */
    this.summary = null;
    byId("share").addEventListener("click", () => this.share());
  }

  /** @param {Summary} summary */
  show(summary) {
    const isNew = !this.summary;
    this.summary = summary;
    say(byId("end-title"), titleOf(summary));
    say(byId("end-text"), textOf(summary));
    say(byId("end-moves"), String(summary.moves));
    say(byId("end-time"), exactTime(summary.elapsed_ms));
    say(byId("end-left"), String(summary.cards_left));
    say(byId("end-best"), this.bestText(summary));
    if (!this.dialog.open) this.dialog.showModal();
    if (isNew && this.hasPlace) this.fetchPlaces(TRIES);
    this.showPlaces();
  }

  /** True if the game has a place on the tables: a ranked one in which a card was removed. */
  get hasPlace() {
    return this.about.is_ranked && (this.summary?.cards_left ?? 0) < this.about.cards;
  }

  /** Take over ranks that the server tells by itself. @param {import("../client/game-client.js").Placed} placed */
  placed({ boards }) {
    for (const { board, rank, of } of boards) this.places.set(board, { rank, of });
    this.showPlaces();
  }

  /** Ask for the ranks that have not arrived. @param {number} tries */
  async fetchPlaces(tries) {
    const open = this.about.boards.filter(({ slug }) => !this.places.has(slug));
    await Promise.all(open.map(({ slug }) => this.fetchPlace(slug)));
    this.showPlaces();
    if (tries > 1 && this.about.boards.some(({ slug }) => !this.places.has(slug))) setTimeout(() => this.fetchPlaces(tries - 1), BETWEEN_TRIES);
    else if (tries <= 1) this.showPlaces(gettext("not known yet"));
  }

  /** @param {string} slug */
  async fetchPlace(slug) {
    try {
      const [standing, table] = await Promise.all([getJson(`/api/boards/${slug}/players/${this.about.handle}/`), getJson(`/api/boards/${slug}/?limit=1`)]);
      if (standing && table) this.places.set(slug, { rank: standing.row.rank, of: table.count });
    } catch {
      // The next try follows.
    }
  }

  /** @param {string} waiting what stands where a rank has not arrived */
  showPlaces(waiting = gettext("…")) {
    const rows = this.about.boards.map(({ slug, title }) => {
      const place = this.places.get(slug);
      const link = /** @type {HTMLAnchorElement} */ (make("a", "", title));
      link.href = `/boards/${slug}/`;
      const text = place ? gettext("{rank} of {of}", place) : waiting;
      return make("div", "", make("dt", "", link), make("dd", "", text));
    });
    byId("end-places").replaceChildren(...(this.hasPlace ? rows : []));
    say(byId("end-unplaced"), this.about.is_ranked && !this.hasPlace ? gettext("No card was removed, so the game has no place on the tables.") : "");
  }

  /** @param {Summary} summary */
  bestText(summary) {
    const { best } = this.about;
    if (!best) return summary.result === "won" ? gettext("Your first win by these rules.") : "";
    if (summary.result === "won" && summary.moves < best.moves) return gettext("Your best so far: {moves} moves.", { moves: best.moves });
    return gettext("Your best: {moves} moves, {time}.", { moves: best.moves, time: clockText(best.elapsed_ms) });
  }

  async share() {
    if (!this.summary) return;
    const text = `${shareText(this.about.share, this.summary, this.places.get(this.about.boards[0]?.slug ?? ""))}\n${new URL(this.about.page, location.href)}`;
    const status = byId("share-status");
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text });
      else {
        await navigator.clipboard.writeText(text);
        say(status, gettext("Copied. It gives nothing away about the cards."));
      }
    } catch {
      say(status, text); // Without HTTPS, or without leave, a page may not write to the clipboard.
    }
  }
}

/** @param {string} address */
async function getJson(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  return answer.ok ? answer.json() : null;
}

/** Return a result as text that tells nothing of the cards. @param {string} name @param {Summary} summary @param {{ rank: number, of: number } | undefined} place */
export function shareText(name, summary, place) {
  const result = summary.result === "won" ? "" : ` ${ngettext("{count} card left,", "{count} cards left,", summary.cards_left)}`;
  const rank = place ? gettext(", rank {rank} of {of}", place) : "";
  return `${name} ▲${result} ${ngettext("{count} move", "{count} moves", summary.moves)} ${clockText(summary.elapsed_ms)}${rank}`;
}

/** @param {Summary} summary */
function titleOf({ result }) {
  switch (result) {
    case "won":
      return gettext("You won");
    case "stuck":
      return gettext("Stuck");
    case "expired":
      return gettext("Time is up");
    default:
      return gettext("Given up");
  }
}

/** @param {Summary} summary */
function textOf({ result, cards_left: left }) {
  if (result === "won") return gettext("The pyramid is cleared.");
  return ngettext("{count} card was left.", "{count} cards were left.", left);
}
