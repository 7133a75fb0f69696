// A score table that follows its socket while the page is looked at.
import { listed, make, say } from "./dom.js";
import { openSocket } from "./live-socket.js";
import { checkRelease } from "./release.js";
import { clockText, gettext, ngettext } from "./texts.js";

/** @typedef {{ rank: number, place: number, player: { handle: string, display_name: string }, game: string | null, cards_left?: number, moves: number, elapsed_ms?: number }} Row */

const LONGEST_WAIT = 30_000;
const STOPS = new Set([4404]);

export class LiveTable {
  /** @param {HTMLElement} root an element with `data-live`, a table and a `.status` */
  constructor(root) {
    this.root = root;
    this.slug = root.dataset.live ?? "";
    this.most = Number(root.dataset.rows ?? 20);
    this.body = /** @type {HTMLTableSectionElement} */ (root.querySelector("tbody"));
    this.status = root.querySelector(".status");
    this.isNarrow = root.closest(".rail") !== null;
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    this.attempts = 0;
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("online", () => this.follow());
    this.follow();
  }

  /** Open the socket while the page is visible, close it while it is not. */
  follow() {
    if (document.hidden) {
      this.socket?.close();
      return;
    }
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.timer);
    const socket = openSocket(`/ws/boards/${this.slug}/`, (message) => this.receive(message));
    this.socket = socket;
    socket.onclose = ({ code }) => socket === this.socket && this.closed(code);
  }

  /** @param {number} code */
  closed(code) {
    this.lamp(false);
    if (STOPS.has(code) || document.hidden) return;
    this.attempts += 1;
    if (this.attempts > 2) say(this.status, gettext("The table cannot be reached right now. Trying again automatically."));
    const wait = Math.min(LONGEST_WAIT, 1000 * 2 ** (this.attempts - 1)) * (0.5 + Math.random() / 2);
    this.timer = setTimeout(() => this.follow(), wait);
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "table") this.rows = new Map();
    if (message.type !== "table" && message.type !== "changes") return;
    if (this.attempts) checkRelease();
    this.attempts = 0;
    this.lamp(true);
    for (const handle of message.gone ?? []) this.rows.delete(handle);
    for (const row of message.rows) this.rows.set(row.player.handle, row);
    this.show(message.count, message.own);
  }

  /** @param {boolean} isOn */
  lamp(isOn) {
    this.root.querySelector(".live")?.classList.toggle("on", isOn);
  }

  /** @param {number} count @param {Row | null} own */
  show(count, own) {
    const rows = [...this.rows.values()].sort((one, other) => one.place - other.place).slice(0, this.most);
    if (own && !rows.some(({ player }) => player.handle === own.player.handle)) rows.push(own);
    const blanks = Array.from({ length: this.isNarrow ? 0 : Math.max(0, this.body.rows.length - rows.length) }, blankRow);
    this.body.replaceChildren(...rows.map((row) => this.rowOf(row, own?.player.handle)), ...blanks);
    this.root.classList.toggle("empty", !count);
    say(this.status, count ? ngettext("{count} player", "{count} players", count) : (this.root.dataset.empty ?? gettext("Nobody has finished this deal yet. The first place is free.")));
  }

  /** @param {Row} row @param {string | undefined} own */
  rowOf({ rank, player: { handle, display_name: name }, cards_left: left, moves, elapsed_ms: elapsed = 0, game }, own) {
    const link = /** @type {HTMLAnchorElement} */ (make("a", "", ...listed(name, handle)));
    link.href = `/players/${handle}/`;
    const who = make("th", "", link);
    who.setAttribute("scope", "row");
    const time = make(game ? "a" : "span", "", clockText(elapsed));
    if (game) /** @type {HTMLAnchorElement} */ (time).href = `/games/${game}/`;
    const figures = this.isNarrow ? [left ? gettext("{left} left", { left }) : moves] : [left, moves]; // a game that is not won has its place by the cards left
    const numbers = figures.map((value) => make("td", "number", String(value ?? "")));
    return make("tr", handle === own ? "you" : "", make("td", "rank", String(rank)), who, ...numbers, make("td", "number", time));
  }
}

function blankRow() {
  const cell = /** @type {HTMLTableCellElement} */ (make("td", "", "\u00a0"));
  cell.colSpan = 5;
  return make("tr", "blank", cell);
}

/** Follow the tables of the page, each once it has a size: on a phone, that beside a game never has one. */
export function followTables() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      observer.unobserve(target);
      setTimeout(() => new LiveTable(/** @type {HTMLElement} */ (target)));
    }
  });
  for (const root of document.querySelectorAll("[data-live]")) observer.observe(root);
}
