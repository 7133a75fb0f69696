// Score tables: fetched when the page opens, when another is chosen, and every half minute while they are in view.
const REFRESH_MS = 30_000;
const FETCHING = "Fetching the table …";
const EMPTY = "Nobody has finished this deal yet. The first place is free.";
const UNREACHABLE = "The table cannot be reached just now. The next attempt follows by itself.";

function time(milliseconds) {
  const seconds = (milliseconds / 1000) % 60;
  return `${Math.floor(milliseconds / 60_000)}:${seconds.toFixed(3).padStart(6, "0")}`;
}

function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

function playerCell({ handle, display_name: name }) {
  const cell = element("th", "player", element("bdi", "", name));
  cell.scope = "row";
  cell.title = handle;
  return cell;
}

function tableRow({ rank, player, cards_left: cardsLeft, moves, elapsed_ms: elapsed }) {
  const numbers = [cardsLeft, moves, time(elapsed)].map((value) => element("td", "number", String(value)));
  return element("tr", cardsLeft === 0 ? "won" : "", element("td", "rank", String(rank)), playerCell(player), ...numbers);
}

function summary({ count, rows }) {
  if (count === 0) return EMPTY;
  if (count > rows.length) return `The first ${rows.length} of ${count} players`;
  return count === 1 ? "1 player" : `${count} players`;
}

class Board {
  constructor(root) {
    this.root = root;
    this.table = root.querySelector("table");
    root.addEventListener("change", () => this.refresh());
    document.addEventListener("visibilitychange", () => this.refresh());
    this.say(FETCHING);
    this.refresh();
  }

  get address() {
    const [entrants, order] = [...this.root.querySelectorAll("input:checked")].map((input) => input.value);
    return `/api/boards/${this.root.dataset.board}${entrants}.${order}/`;
  }

  /** Fetch now, unless the page is hidden, and again after a while. A newer call overtakes an older one. */
  async refresh() {
    clearTimeout(this.timer);
    this.request?.abort();
    if (document.hidden) return;
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const answer = await fetch(this.address, { signal, headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(`${answer.status}`);
      this.show(await answer.json());
    } catch {
      if (signal.aborted) return;
      this.say(UNREACHABLE);
    }
    this.timer = setTimeout(() => this.refresh(), REFRESH_MS);
  }

  show(board) {
    this.table.tBodies[0].replaceChildren(...board.rows.map(tableRow));
    this.table.hidden = board.count === 0;
    this.say(summary(board));
  }

  /** Change the text only when it says something new, for a screen reader reads out every change. */
  say(text) {
    const status = this.root.querySelector(".status");
    if (status.textContent !== text) status.textContent = text;
  }
}

document.querySelectorAll("[data-board]").forEach((root) => new Board(root));
