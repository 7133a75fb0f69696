// A server: requests over REST, and games over sockets that are opened with tickets. No DOM; browsers and Node 20 or newer.
//
//   const pyramid = new Pyramid("https://example.org");
//   await pyramid.enter("/guests/", { display_name: "Ada's bot", is_bot: true });
//   const game = pyramid.playToday("standard");
import { BoardClient } from "./board-client.js";
import { CupClient } from "./cup-client.js";
import { GameClient, backOff } from "./game-client.js";
import { NewsClient } from "./news-client.js";
import { RaceClient } from "./race-client.js";
import { RunClient } from "./run-client.js";

export { BoardClient, CupClient, GameClient, NewsClient, RaceClient, RunClient, backOff };

/** @typedef {import("./game-client.js").Options} Options */

const MOST_ATTEMPTS = 10;
const LONGEST_PAUSE = 120; // seconds that a server may ask for
const AWAY = [502, 503, 504];
const ANSWER_WITHIN = 30_000; // milliseconds: what is not answered by then is lost

/**
 * The server refused a request, and nothing was changed. `code` is stable, the message is for people; `retryAfter` are
 * the seconds to wait, if the server said so.
 */
export class Refused extends Error {
  /** @param {number} status @param {{ code?: string, message?: string, game?: string, fields?: Record<string, string[]> }} told @param {number} [retryAfter] */
  constructor(status, { code = "no_answer", message = `HTTP ${status}`, game, fields = {} }, retryAfter) {
    const mistakes = Object.entries(fields).map(([name, texts]) => `${name}: ${texts.join(" ")}`);
    super([`${code}: ${message}`, ...mistakes].join("; "));
    this.name = "Refused";
    this.status = status;
    this.code = code;
    this.game = game;
    this.retryAfter = retryAfter;
  }
}

export class Pyramid {
  /**
   * @param {string} server such as `https://example.org`
   * @param {{ token?: string, WebSocket?: Options["WebSocket"], pause?: (seconds: number) => Promise<void> }} [options]
   */
  constructor(server, { token = "", WebSocket = globalThis.WebSocket, pause = sleep } = {}) {
    this.server = server.replace(/\/+$/, "");
    this.token = token;
    this.WebSocket = WebSocket;
    this.pause = pause;
  }

  /** Return the answer to a GET. It is asked for again while the server is away. @param {string} path such as `/daily/` */
  read(path) {
    return this.persist(path, undefined, true);
  }

  /**
   * Return the answer to a POST, which is sent once unless it may be repeated: an action, a resignation or the start of
   * a daily deal takes effect once.
   * @param {string} path @param {object} body @param {{ isRepeatable?: boolean }} [options]
   */
  send(path, body = {}, { isRepeatable = false } = {}) {
    return this.persist(path, body, isRepeatable);
  }

  /** Send a request that answers with a token, and use that from now on. @param {string} path @param {object} body */
  async enter(path, body) {
    const { token, player } = await this.send(path, body);
    this.token = token;
    return player;
  }

  /** Return today's ranked attempt at a rule set, new or continued; `connect` starts its clock. @param {string} [rules] */
  playToday(rules = "standard") {
    return this.clientOf(at`/ws/daily/${rules}/`); // the same address tomorrow is another game
  }

  /** Return a game by its id: to play it if it is yours, or else to watch. @param {string} game */
  play(game) {
    return this.clientAt(() => at`/ws/games/${game}/`);
  }

  /** Return your game in the qualification of a cup; the first `connect` enters it. @param {string} cup */
  playCup(cup) {
    return this.clientOf(at`/ws/cups/${cup}/play/`);
  }

  /** Return your game in a race, whose first state comes when the race begins. @param {string} race */
  playRace(race) {
    return this.clientOf(at`/ws/races/${race}/play/`);
  }

  /** Return a client of the game that an address leads to: once it is known, it is found by its own address. @param {string} path */
  clientOf(path) {
    const client = this.clientAt(() => path);
    return client.on("state", ({ game }) => (path = at`/ws/games/${game}/`));
  }

  /** Return a race by its id, to follow it and, if you are in it, to start, leave and repeat it. @param {string} race */
  race(race) {
    return new RaceClient(this.optionsAt(() => at`/ws/races/${race}/`));
  }

  /** Return a division of a cup, to follow its bracket. @param {string} cup its id @param {number} [division] */
  cup(cup, division = 1) {
    return new CupClient(this.optionsAt(() => at`/ws/cups/${cup}/${division}/`));
  }

  /** Return a streak or a storm by its id, to play it. @param {string} run */
  run(run) {
    return new RunClient(this.optionsAt(() => at`/ws/runs/${run}/`));
  }

  /** Return your own news, to hear of notifications as they come. */
  news() {
    return new NewsClient(this.optionsAt(() => "/ws/me/"));
  }

  /**
   * Return a score table, to follow its first rows and your own; with the id of a club, those of its members.
   * @param {string} slug such as `daily.2026-11-20.standard.open.fewest-moves` @param {{ club?: string }} [options]
   */
  board(slug, { club } = {}) {
    return new BoardClient(this.optionsAt(() => `/ws${boardAt(slug, club)}`));
  }

  /** Return rows of a score table; with the id of a club, those of its members. @param {string} slug @param {{ club?: string, limit?: number, around?: string, cursor?: string }} [options] */
  table(slug, { club, ...asked } = {}) {
    const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
    return this.read(`${boardAt(slug, club)}?${query}`);
  }

  /** Return your clubs, and those that wait for you or that you wait for. */
  async clubs() {
    return (await this.read("/me/clubs/")).clubs;
  }

  /** Return a club with its members. @param {string} club its id */
  club(club) {
    return this.read(at`/clubs/${club}/`);
  }

  /** Join a club, or ask to, and return it. @param {string} letters the six letters of the club */
  joinClub(letters) {
    return this.send("/clubs/join/", { letters }, { isRepeatable: true });
  }

  /** @param {() => string} path asked for each connection */
  clientAt(path) {
    return new GameClient(this.optionsAt(path));
  }

  /** @param {() => string} path asked for each connection */
  optionsAt(path) {
    const address = async () => {
      const query = this.token ? `?ticket=${(await this.send("/tickets/")).ticket}` : ""; // others may watch
      return `${this.server.replace(/^http/, "ws")}${path()}${query}`;
    };
    if (!this.WebSocket) throw new TypeError("No WebSocket: pass the class of a package such as ws, new Pyramid(server, { WebSocket })");
    return { address, WebSocket: this.WebSocket };
  }

  /** @param {string} path @param {object | undefined} body @param {boolean} isRepeatable @returns {Promise<any>} */
  async persist(path, body, isRepeatable) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.ask(path, body).catch((error) => error);
      if (answer.ok) return answer.status === 204 ? {} : told(answer);
      const seconds = attempt < MOST_ATTEMPTS ? secondsToWait(answer, isRepeatable, attempt) : null;
      if (seconds === null) throw answer instanceof Error ? answer : new Refused(answer.status, await answer.json().catch(() => ({})), asked(answer));
      await this.pause(seconds);
    }
  }

  /** @param {string} path @param {object | undefined} body */
  async ask(path, body) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body) headers["Content-Type"] = "application/json";
    const method = body ? "POST" : "GET";
    // The token is for this server alone, and cookies are not needed beside it.
    const signal = AbortSignal.timeout(ANSWER_WITHIN);
    const answer = await fetch(`${this.server}/api${path}`, { method, headers, body: body && JSON.stringify(body), redirect: "error", credentials: "omit", signal });
    await answer.clone().arrayBuffer(); // one that is cut off on its way is none
    return answer;
  }
}

/** Return what an answer says. What is not JSON comes from another site. @param {Response} answer */
const told = (answer) =>
  answer.json().catch((error) => {
    throw error instanceof SyntaxError ? new Refused(answer.status, {}) : error;
  });

/** Return a path whose ids stay ids, whatever is in them. @param {TemplateStringsArray} path @param {...(string | number)} ids */
const at = (path, ...ids) => String.raw(path, ...ids.map(encodeURIComponent));

/** Return the path of a score table, or of the part of it that a club's members have. @param {string} slug @param {string} [club] */
const boardAt = (slug, club) => (club ? at`/clubs/${club}/boards/${slug}/` : at`/boards/${slug}/`);

/** Return after how many seconds to ask again, null if the refusal is final. @param {Response | Error} answer @param {boolean} isRepeatable @param {number} attempt */
function secondsToWait(answer, isRepeatable, attempt) {
  if (answer instanceof Error || AWAY.includes(answer.status)) return isRepeatable ? backOff(attempt, Math.random()) / 1000 : null;
  const seconds = asked(answer) ?? Infinity;
  return answer.status === 429 && seconds <= LONGEST_PAUSE ? seconds : null;
}

/** Return the seconds after which a server asks to come back, if it does. @param {Response} answer */
function asked(answer) {
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** @param {number} seconds */
const sleep = (seconds) => /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, seconds * 1000)));
