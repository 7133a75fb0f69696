// The live protocol (docs/live-protocol.md): one game over one socket. No DOM; runs in browsers and in Node 20 or newer.
// The pages load this file as it is; its types are made from docs/asyncapi.json.
//
//   const client = new GameClient({ address: () => "wss://host/ws/games/7f3k/" });
//   client.on("state", ({ position, legal }) => ...);
//   client.connect();
//   client.send({ type: "play", move: legal[0] });
//
// One command is under way at a time. It is kept until it is answered, and sent again after the line has dropped.

/** @import * as messages from "pyramid-client/messages" */
/** @typedef {messages.State} State */
/** @typedef {messages.Played} Played */
/** @typedef {messages.Refused} Refused */
/** @typedef {messages.Hinted} Hinted */
/** @typedef {messages.Unwinnable} Unwinnable */
/** @typedef {messages.Finished} Finished */
/** @typedef {messages.Placed} Placed */
/** @typedef {messages.Restarted} Restarted */
/** @typedef {messages.Missed} Missed */
/** @typedef {messages.Superseded} Superseded */
/**
 * A line is `open` once a state has arrived, `quiet` while something sent has had no answer for a moment, `waiting` while
 * it comes back by itself, and `stopped` when only a person can go on; `code` is then the close code.
 * @typedef {{ line: "open" | "quiet" | "waiting" | "stopped", code: number }} Line
 */
/**
 * @typedef {object} Events
 * @property {State & { open: Command | null }} state with the command that was under way when it came
 * @property {Played & { isNews: boolean, isAnswer: boolean }} played `isNews` is false for an action that was known already
 * @property {Refused & { command: Command | null }} refused
 * @property {Hinted} hinted
 * @property {Unwinnable} unwinnable
 * @property {Finished} finished
 * @property {Placed} placed
 * @property {Restarted} restarted
 * @property {Missed} missed
 * @property {Superseded} superseded
 * @property {Line} line
 */
/** @typedef {{ type: "play" | "undo" | "redo" | "hint" | "resign" | "restart", move?: string, version?: number }} Command */
/** @typedef {{ close(): void, send(text: string): void, readyState: number, onmessage: any, onclose: any, onerror: any }} Socket */
/**
 * @typedef {object} Options
 * @property {() => string | Promise<string>} address asked for each attempt, so that it may have a new ticket
 * @property {new (address: string) => Socket} [WebSocket]
 * @property {() => number} [now] milliseconds on a clock that never jumps
 * @property {() => number} [random]
 */

const PING_EVERY = 20_000;
const QUIET_AFTER = 700; // milliseconds without an answer
const DEAD_AFTER = 6_000, DEAD_AFTER_WAKING = 3_000, DIAL_WITHIN = 15_000;
const FRESH_FOR = 1000; // a connection that has just been begun is not begun again
const LEAST_BETWEEN = 50; // 20 commands a second
const LONGEST_WAIT = 30_000;
const STOPS = new Set([4403, 4404, 4406, 4408, 4409]);
const OPEN = 1;

/** Return how long to wait before an attempt, 1, 2, 3 ..., in milliseconds. @param {number} attempt @param {number} random 0 to 1 */
export const backOff = (attempt, random) => Math.min(LONGEST_WAIT, 1000 * 2 ** (attempt - 1)) * (0.5 + random / 2);

/** Return for how many milliseconds a server asks to wait, 0 if it does not. @param {string} [reason] of its close frame */
const askedToWait = (reason = "") => Number(/^retry_after_ms=(\d{1,5})$/.exec(reason)?.[1] ?? 0);

/**
 * A socket that is restored by itself, with one command under way at a time. A class for each kind of socket receives its
 * messages, and says which events it has and which commands it takes.
 * @template E
 * @template {{ type: string }} [C=never]
 */
export class LiveClient {
  /** @param {Options} options */
  constructor({ address, WebSocket = globalThis.WebSocket, now = () => performance.now(), random = Math.random }) {
    this.address = address;
    this.WebSocket = WebSocket;
    this.now = now;
    this.random = random;
    /** @type {(C & { id?: number }) | null} */
    this.open = null; // the command under way
    /** @type {Map<string, ((event: any) => void)[]>} */
    this.listeners = new Map();
    /** @type {Socket | null} */
    this.socket = null;
    this.isReady = false;
    this.isWanted = false;
    this.isQuiet = false;
    this.attempts = 0;
    this.renewals = 0;
    this.lastId = 0;
    this.lastSent = -Infinity;
    this.dialedAt = -Infinity;
    this.deadAt = Infinity; // when a line that stays silent is given up
    /** @type {Record<string, any>} */
    this.timers = {};
  }

  /** @template {keyof E & string} T @param {T} type @param {(event: E[T]) => void} listener */
  on(type, listener) {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
    return this;
  }

  /** @param {string} type @param {any} event */
  emit(type, event) {
    for (const listener of this.listeners.get(type) ?? []) listener(event);
  }

  /** Open the socket, or open it again after it has stopped. */
  connect() {
    if (this.socket) return;
    this.isWanted = true;
    this.attempts = 0;
    this.dial();
  }

  /** Close the socket permanently. */
  disconnect() {
    this.isWanted = false;
    this.drop();
  }

  /** Send a command. @param {C} command */
  send(command) {
    if (this.open) throw new Error(`${this.open.type} has not been answered yet`);
    this.open = { ...command };
    this.transmit();
  }

  /** Tell the client that its player is back: the line is tried at once. */
  wake() {
    if (this.isReady) return this.ping(DEAD_AFTER_WAKING);
    if (!this.isWanted || (this.socket && this.now() < this.dialedAt + FRESH_FOR)) return;
    this.drop();
    this.attempts = 0;
    this.dial();
  }

  /** Tell the client that its machine has lost the network: no answer is waited for. */
  lose() {
    if (this.isWanted && this.socket) this.closed(1006);
  }

  /** Note that the line is open once its first message is here, which `tell` tells. @param {() => void} tell */
  arrive(tell) {
    const isFirst = !this.isReady;
    const unanswered = this.open; // what a listener of the first message sends is on its way already
    Object.assign(this, { isReady: true, attempts: 0, renewals: 0 });
    if (isFirst) this.timers.ping = setTimeout(() => this.ping(), PING_EVERY);
    tell();
    if (isFirst) this.emit("line", { line: "open", code: 0 });
    if (isFirst && unanswered && this.open === unanswered) this.transmit();
  }

  /** Note that a ping was answered: the next one is due later. */
  stayAlive() {
    clearTimeout(this.timers.ping);
    this.timers.ping = setTimeout(() => this.ping(), PING_EVERY);
  }

  async dial() {
    clearTimeout(this.timers.dial);
    const address = await this.findAddress();
    if (!address || this.socket || !this.isWanted) return;
    const socket = new this.WebSocket(address);
    this.socket = socket;
    this.dialedAt = this.now();
    socket.onmessage = (/** @type {{ data: string }} */ { data }) => socket === this.socket && this.hear(data);
    socket.onclose = (/** @type {{ code: number, reason?: string }} */ { code, reason }) => {
      if (socket === this.socket) this.closed(code, askedToWait(reason));
    };
    socket.onerror = () => {}; // its close follows; a socket of the package `ws` throws where nobody listens
    this.expect(DIAL_WITHIN);
  }

  /** Expect to hear something: without it the line is quiet, and at last given up. @param {number} within milliseconds */
  expect(within) {
    this.timers.quiet ??= setTimeout(() => {
      this.isQuiet = true;
      this.emit("line", { line: "quiet", code: 0 });
    }, QUIET_AFTER);
    clearTimeout(this.timers.dead);
    this.deadAt = Math.min(this.deadAt, this.now() + within);
    this.timers.dead = setTimeout(() => this.closed(1006), this.deadAt - this.now());
  }

  /** @param {string} data */
  hear(data) {
    const wasQuiet = this.isQuiet;
    this.forgetExpected();
    this.receive(JSON.parse(data));
    if (wasQuiet && this.isReady) this.emit("line", { line: "open", code: 0 });
  }

  forgetExpected() {
    clearTimeout(this.timers.quiet);
    clearTimeout(this.timers.dead);
    delete this.timers.quiet;
    this.deadAt = Infinity;
    this.isQuiet = false;
  }

  /** Return the address; without one, as without a server, the line comes back later. @returns {Promise<string | null>} */
  async findAddress() {
    try {
      return await this.address();
    } catch (/** @type {any} */ error) {
      if (this.isWanted && !this.socket) this.closed(error?.status === 401 ? 4401 : 1006);
      return null;
    }
  }

  /** Leave a line without waiting for the other side. */
  drop() {
    const socket = this.socket;
    this.socket = null;
    this.isReady = false;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.forgetExpected();
    socket?.close();
  }

  /** @param {number} code @param {number} [asked] milliseconds that the server asks to wait */
  closed(code, asked = 0) {
    this.drop();
    if (code === 4409 || code === 1009) this.open = null;
    const isRefused = code === 4401 && this.renewals > 0;
    if (!this.isWanted || STOPS.has(code) || isRefused) {
      this.isWanted = false;
      this.emit("line", { line: "stopped", code });
      return;
    }
    if (code === 4401) this.renewals += 1;
    this.emit("line", { line: "waiting", code });
    this.attempts += 1;
    const isAtOnce = this.attempts === 1 && (code === 1012 || code === 4401);
    this.timers.dial = setTimeout(() => this.dial(), asked || (isAtOnce ? 0 : backOff(this.attempts, this.random())));
  }

  /** Send the command that is not answered yet, as soon as the server accepts it; without a connection it waits for one. */
  transmit() {
    if (!this.isReady || !this.open) return;
    const wait = this.lastSent + LEAST_BETWEEN - this.now();
    clearTimeout(this.timers.send);
    if (wait > 0) {
      this.timers.send = setTimeout(() => this.transmit(), wait);
      return;
    }
    this.lastSent = this.now();
    this.open.id = this.write(this.open);
  }

  /** @param {object} message @param {number} [within] milliseconds in which something has to be heard */
  write(message, within = DEAD_AFTER) {
    this.lastId = (this.lastId + 1) % 2 ** 31;
    if (this.socket?.readyState === OPEN) this.socket.send(JSON.stringify({ ...message, id: this.lastId }));
    this.expect(within);
    return this.lastId;
  }

  /** @param {number} [within] milliseconds in which the answer has to come */
  ping(within) {
    clearTimeout(this.timers.ping);
    this.write({ type: "ping" }, within);
  }

  /** Take a message; one of a type that is not known is ignored: later versions may tell more. @param {any} message */
  receive(message) {
    throw new Error(`nobody takes ${message.type}`);
  }

  /** @param {number | null} id */
  isAnswer(id) {
    return id !== null && this.open?.id === id;
  }
}

/** @extends {LiveClient<Events, Command>} */
export class GameClient extends LiveClient {
  /** @param {Options} options */
  constructor(options) {
    super(options);
    this.version = 0;
    this.clock = { elapsed: 0, at: 0, runs: false };
  }

  /** The time on the game's clock in milliseconds: what the server said last, and what has passed since. */
  get elapsed() {
    const { elapsed, at, runs } = this.clock;
    return runs ? elapsed + this.now() - at : elapsed;
  }

  /** Send a command chosen at the current version. @override @param {Command} command */
  send(command) {
    super.send(command.type === "restart" ? command : { ...command, version: this.version });
  }

  /** Ask for the whole state. */
  resync() {
    this.write({ type: "sync", version: NEVER });
  }

  /** @override @param {any} message */
  receive(message) {
    HANDLERS[message.type]?.(this, message);
  }

  /** @param {number} elapsed @param {boolean} runs */
  setClock(elapsed, runs) {
    this.clock = { elapsed, at: this.now(), runs };
  }
}

const NEVER = 2 ** 31 - 1; // a version that never was: the answer is a state

/** @type {Record<string, (client: GameClient, message: any) => void>} */
const HANDLERS = {
  state(client, message) {
    const isOver = message.result !== "*";
    client.version = message.version;
    client.setClock(message.elapsed_ms, !isOver);
    if (isOver && client.open?.type !== "restart") client.open = null;
    client.arrive(() => client.emit("state", { ...message, open: client.open }));
  },
  played(client, message) {
    if (message.version > client.version + 1) {
      client.resync();
      return;
    }
    const isNews = message.version === client.version + 1;
    const isAnswer = client.isAnswer(message.id);
    if (isAnswer) client.open = null;
    client.version = Math.max(client.version, message.version);
    if (isNews) client.setClock(message.at_ms, client.clock.runs);
    client.emit("played", { ...message, isNews, isAnswer });
  },
  refused(client, message) {
    if (message.code === "unavailable" && client.isAnswer(message.id)) {
      client.timers.send = setTimeout(() => client.transmit(), backOff(2, client.random()));
      return;
    }
    const command = client.isAnswer(message.id) ? client.open : null;
    if (command) client.open = null;
    client.emit("refused", { ...message, command });
  },
  hinted(client, message) {
    client.version = Math.max(client.version, message.version);
    if (client.isAnswer(message.id)) client.open = null;
    client.emit("hinted", message);
  },
  finished(client, message) {
    client.setClock(message.elapsed_ms, false);
    if (client.open?.type === "resign") client.open = null;
    client.emit("finished", message);
  },
  restarted(client, message) {
    client.open = null;
    client.emit("restarted", message);
  },
  missed: (client, message) => client.emit("missed", message),
  placed: (client, message) => client.emit("placed", message),
  unwinnable: (client, message) => client.emit("unwinnable", message),
  superseded(client, message) {
    client.open = null;
    client.isWanted = false;
    client.emit("superseded", message);
  },
  pong(client, message) {
    client.setClock(message.elapsed_ms, client.clock.runs);
    client.stayAlive();
  },
};
