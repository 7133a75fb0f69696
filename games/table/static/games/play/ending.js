// The dialog at a game's end: a finale for a win, two quiet lines otherwise, and what to do next.
import { byId, dialogOf, make, say } from "../dom.js";
import { openDialog } from "../dialogs.js";
import { clockText, gettext, ngettext, ordinal } from "../texts.js";
import { emojisOf, showShades } from "./shades.js";
import { fetchPar, fetchPlace, fetchShades, fetchSpread, isBar } from "./standing.js";

/** @typedef {{ result: string, moves: number, elapsed_ms: number, cards_left: number, in_pyramid: number }} Summary `in_pyramid` of the cards that are left */
/** @typedef {{ boards: { slug: string, title: string }[], handle: string, is_own: boolean, best: { moves: number, elapsed_ms: number } | null, share: string, page: string, game: string, deal: string | null, is_ranked: boolean, cards: number }} About `cards` have to leave; `deal` is one whose par is public at the end */
/** @typedef {import("./standing.js").Place} Place */
/** @typedef {import("../client/news-client.js").Notification} Notification */

const TRIES = 8, BETWEEN_TRIES = 700, WHILE_AWAY = 5000;

export class Ending {
  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.dialog = dialogOf("end");
    /** @type {Map<string, Place>} */
    this.places = new Map();
    this.isAsking = true;
    /** @type {Summary | null} */
    this.summary = null;
    /** @type {import("./shades.js").Shades | null} */
    this.shades = null;
    byId("share").addEventListener("click", () => this.share());
    this.dialog.addEventListener("close", () => byId("over-result").focus());
    addEventListener("news", (event) => this.earned(/** @type {CustomEvent<Notification[]>} */ (event).detail.find(({ kind }) => kind === "achievement")));
  }

  /** @param {Summary} summary */
  show(summary) {
    const isNew = !this.summary;
    this.summary = summary;
    const { isWon } = this;
    this.dialog.classList.toggle("won", isWon);
    const title = isWon ? this.clearedText : ngettext("{count} card was left", "{count} cards were left", summary.cards_left);
    for (const id of ["end-title", "over-text"]) say(byId(id), title);
    byId("over").hidden = false;
    document.getElementById("menu-give-up")?.setAttribute("hidden", ""); // who watches has none
    say(byId("end-moves"), String(summary.moves));
    say(byId("end-time"), clockText(summary.elapsed_ms));
    if (isWon && this.about.is_own) this.showFigure("end-best", this.about.best ? String(Math.min(this.about.best.moves, summary.moves)) : gettext("the first"));
    if (!isWon && this.about.deal) say(byId("end-replay"), gettext("See how it could have gone"));
    this.showPlaces();
    if (isNew && !this.dialog.open) openDialog("end"); // told again when the line comes back, where it may be closed
    if (isNew && this.hasPlace) this.fetchPlaces(TRIES);
    if (isNew) this.showShades();
    if (isNew && isWon) this.showOverPar();
  }

  get isWon() {
    return this.summary?.result === "won";
  }

  get clearedText() {
    return this.about.is_own ? gettext("You cleared it") : gettext("The pyramid is cleared.");
  }

  /** True if the game has a place on the tables: a ranked one in which a card was removed. */
  get hasPlace() {
    return this.about.is_ranked && (this.summary?.cards_left ?? 0) < this.about.cards;
  }

  /** @param {string} id @param {string} text */
  showFigure(id, text) {
    say(byId(id), text);
    /** @type {HTMLElement} */ (byId(id).parentElement).hidden = false;
  }

  async showShades() {
    this.shades = await fetchShades(this.about.game);
    if (this.shades && this.isWon) showShades(byId("end-shades"), this.shades);
  }

  async showOverPar() {
    const par = this.about.deal && (await fetchPar(this.about.deal));
    if (par) this.showFigure("end-over-par", String((this.summary?.moves ?? par) - par));
  }

  /** Take over ranks that the server tells by itself. @param {import("../client/game-client.js").Placed} placed */
  placed({ boards }) {
    for (const { board, rank, of } of boards) this.places.set(board, { rank, of });
    this.showPlaces();
  }

  /** Ask for the ranks that have not arrived; a server that does not say is asked on. @param {number} tries */
  async fetchPlaces(tries) {
    const open = this.about.boards.filter(({ slug }) => !this.places.has(slug));
    let isAway = false;
    for (const [slug, place] of await Promise.all(open.map(async ({ slug }) => /** @type {const} */ ([slug, await fetchPlace(slug, this.about.handle)])))) {
      if (place) this.places.set(slug, place);
      isAway ||= place === undefined;
    }
    const left = isAway ? tries : tries - 1;
    this.isAsking = left > 0 && this.about.boards.some(({ slug }) => !this.places.has(slug));
    this.showPlaces();
    if (this.isAsking) setTimeout(() => this.fetchPlaces(left), isAway ? WHILE_AWAY : BETWEEN_TRIES);
  }

  showPlaces() {
    const [moves, time] = this.about.boards.map(({ slug }) => this.places.get(slug));
    byId("end-place").hidden = !this.hasPlace || !this.isWon;
    say(byId("end-rank"), moves ? ordinal(moves.rank) : this.isAsking ? "…" : "–");
    say(byId("end-of"), moves ? gettext("of {of} by fewest moves", { of: moves.of }) : this.isAsking ? gettext("Your place is being worked out.") : heldText());
    say(byId("end-other"), time ? gettext("{rank} by time", { rank: ordinal(time.rank) }) : "");
    say(byId("end-text"), this.textOf(moves));
    if (moves && this.summary && this.isWon) this.showSpread(moves);
  }

  /** @param {Place | undefined} place */
  textOf(place) {
    if (!this.summary || this.isWon) return "";
    const withoutPlace = this.hasPlace && !this.isAsking ? heldText() : "";
    const ranked = place ? placeText(place) : withoutPlace;
    const unranked = this.about.is_ranked && !this.hasPlace ? gettext("No card was removed, so the game has no place on the tables.") : "";
    return [reasonOf(this.summary), pyramidText(this.summary), ranked, unranked].filter(Boolean).join(" ");
  }

  /** Show how many moves the day's winners took, with the bar of this game lit. @param {Place} place */
  async showSpread(place) {
    say(byId("end-beaten"), beatenText(place));
    byId("end-spread").hidden = false;
    const slug = this.about.boards[0]?.slug ?? "";
    const spread = await fetchSpread(slug);
    const { moves } = /** @type {Summary} */ (this.summary);
    for (const part of [byId("end-bars"), byId("end-axis")]) part.hidden = !spread;
    if (!spread) return;
    const most = Math.max(...spread.counts);
    byId("end-bars").replaceChildren(...spread.counts.map((count, index) => {
      const bar = document.createElement("i");
      bar.style.height = `${count ? 6 + (94 * count) / most : 0}%`;
      if (isBar(spread, index, moves)) {
        bar.className = "you";
        bar.append(make("b", "", gettext("You, {moves}", { moves })));
      }
      return bar;
    }));
    const last = spread.start + spread.counts.length * spread.width - 1;
    byId("end-bars").ariaLabel = gettext("How many moves the winners of the day took: from {start} to {last}, you {moves}", { start: spread.start, last, moves });
    const isOne = spread.counts.length === 1;
    say(byId("end-lowest"), isOne ? "" : ngettext("{count} move", "{count} moves", spread.start));
    say(byId("end-highest"), isOne ? "" : String(last));
  }

  /** Show an achievement that the game has just earned; the news may be here before the cards have flown up. @param {Notification | undefined} notification */
  earned(notification) {
    if (!notification) return;
    const link = /** @type {HTMLAnchorElement} */ (byId("end-earned").querySelector("a"));
    say(link, notification.words);
    link.href = notification.page ?? "";
    link.dataset.notification = String(notification.id);
    byId("end-earned").hidden = false;
  }

  async share() {
    if (!this.summary) return;
    const place = this.places.get(this.about.boards[0]?.slug ?? "");
    const lines = [shareText(this.about.share, this.summary, place), ...(this.shades ? emojisOf(this.shades) : []), new URL(this.about.page, location.href)];
    const text = lines.join("\n"), status = byId("share-status");
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text, ...(await this.pictureToShare()) });
      else {
        await navigator.clipboard.writeText(text);
        say(status, gettext("Copied. It gives nothing away about the cards."));
      }
    } catch {
      say(status, text); // Without HTTPS, or without leave, a page may not write to the clipboard.
    }
  }

  /** Return the picture of the result, where it can be had and shared. @returns {Promise<{ files?: File[] }>} */
  async pictureToShare() {
    const answer = this.shades && (await fetch(this.shades.picture).catch(() => null));
    if (!answer?.ok) return {};
    const files = [new File([await answer.blob()], "pyramid.png", { type: "image/png" })];
    return navigator.canShare?.({ files }) ? { files } : {};
  }
}

/** Return a result as text that tells nothing of the cards. @param {string} name @param {Summary} summary @param {Place | undefined} place */
export function shareText(name, summary, place) {
  const result = summary.result === "won" ? "" : ` ${ngettext("{count} card left,", "{count} cards left,", summary.cards_left)}`;
  const rank = place ? gettext(", rank {rank} of {of}", place) : "";
  return `${name} ▲${result} ${ngettext("{count} move", "{count} moves", summary.moves)} ${clockText(summary.elapsed_ms)}${rank}`;
}

function heldText() {
  return gettext("No place yet: a person looks at this score first.");
}

/** @param {Place} place */
const placeText = (place) => (place.of === 1 ? gettext("You are the first on the table.") : gettext("That is place {rank} of {of}.", place));

/** @param {Place} place */
function beatenText({ rank, of }) {
  if (of === 1) return gettext("The first on the table");
  if (rank === 1) return gettext("Better than everyone else today");
  const percent = Math.floor((100 * (of - rank)) / of);
  return percent ? gettext("Better than {percent}% of players today", { percent }) : gettext("The winners of today");
}

/** Return, where other cards have to leave as well, how many of those left are in the pyramid: some count only them. @param {Summary} summary */
function pyramidText({ cards_left: left, in_pyramid: count }) {
  if (count >= left) return "";
  return count ? ngettext("{count} of them is in the pyramid.", "{count} of them are in the pyramid.", count) : gettext("None of them is in the pyramid.");
}

/** @param {Summary} summary */
function reasonOf({ result }) {
  if (result === "stuck") return gettext("No more cards could be removed.");
  return result === "expired" ? gettext("Time is up.") : "";
}
