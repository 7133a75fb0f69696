// A score table that follows its socket: when it says that something changed, or comes back, the rows are fetched again.
import { make, say } from "../dom.js";
import { request } from "../http.js";
import { openSocket } from "../live-socket.js";
import { clockText, ngettext } from "../texts.js";

/** @typedef {{ rank: number, player: { handle: string, display_name: string }, game: string | null, score_state: string } & Record<string, any>} Row */

const QUIET = 700; // milliseconds after a change until the rows are fetched
const LONGEST_WAIT = 30_000;
const ROWS = 50;
const MEDALS = ["gold", "silver", "bronze"];

class Board {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const { club, follow, rows = ROWS } = root.dataset;
    this.most = rows;
    this.path = `${club ? `clubs/${club}/` : ""}boards/${follow}`;
    this.own = root.dataset.own ?? "";
    this.attempts = 0;
    this.isFresh = !document.hidden; // the rows are as new as the table that the socket sends first
    document.addEventListener("visibilitychange", () => this.follow());
    this.follow();
  }

  follow() {
    if (document.hidden) return this.socket?.close();
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const lamp = this.root.querySelector(".live");
    const socket = openSocket(`/ws/${this.path}/`, () => {
      this.attempts = 0;
      lamp?.classList.add("on");
      if (!this.isFresh) this.soon();
      this.isFresh = false;
    });
    this.socket = socket;
    socket.onclose = ({ code }) => {
      lamp?.classList.remove("on");
      if (code === 4404 || document.hidden || socket !== this.socket) return;
      this.attempts += 1;
      setTimeout(() => this.follow(), Math.min(LONGEST_WAIT, 1000 * 2 ** this.attempts) * (0.5 + Math.random() / 2));
    };
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.renew(), QUIET);
  }

  async renew() {
    const answer = await request(`/api/${this.path}/?limit=${this.most}`).catch(() => null);
    if (!answer) return;
    const fields = /** @type {string[]} */ (answer.board.order);
    this.root.querySelector("tbody")?.replaceChildren(...answer.rows.map((/** @type {Row} */ row) => this.rowOf(row, fields)));
    say(this.root.querySelector("caption"), ngettext("{count} player", "{count} players", answer.count));
  }

  /** @param {Row} row @param {string[]} fields */
  rowOf(row, fields) {
    const who = make("th", "", linkTo(`/players/${row.player.handle}/`, make("bdi", "", row.player.display_name)));
    who.setAttribute("scope", "row");
    const texts = fields.map((field) => (field === "elapsed_ms" ? clockText(row[field]) : String(row[field])));
    const cells = texts.map((text, index) => make("td", "number", index === 0 && row.game ? linkTo(`/games/${row.game}/`, text) : text));
    return make("tr", row.player.handle === this.own ? "you" : "", make("td", "rank", row.rank <= MEDALS.length ? make("i", `medal ${MEDALS[row.rank - 1]}`, String(row.rank)) : String(row.rank)), who, ...cells);
  }
}

/** @param {string} address @param {string | Node} content */
function linkTo(address, content) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", content));
  link.href = address;
  return link;
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-follow]"));
if (root) new Board(root);
