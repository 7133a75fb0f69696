// One game as its page shows it: what the server has confirmed, the command under way, and up to eight that wait.
// Knows neither the DOM nor the wire; the client is given.
import { advance, beginning, readPosition, replay } from "./notation.js";
import { unknownFaces, unseenCards } from "./position.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./notation.js").Step} Step */
/** @typedef {import("../client/game-client.js").GameClient} GameClient */
/** @typedef {{ kind: "dealt" | "moved" | "undone" | "rolled-back" | "replaced", action: string }} Change why the table looks different */

const LONGEST_QUEUE = 8;

/** @type {Record<string, "undo" | "redo" | "hint">} */
const COMMANDS = { U: "undo", Y: "redo", H: "hint" };

export class Game {
  /**
   * @param {Rules} rules @param {Pick<GameClient, "open" | "resync"> & { send(command: import("../client/game-client.js").Command): unknown }} client
   * @param {(change: Change) => void} changed called whenever `shown` is another one
   */
  constructor(rules, client, changed) {
    this.rules = rules;
    this.client = client;
    this.changed = changed;
    this.confirmed = beginning(rules, unknownFaces(rules));
    /** @type {string[]} */
    this.waiting = []; // actions: the first one is under way, if the client has one open
    this.shown = this.confirmed;
    /** @type {import("../client/game-client.js").Command | null} */
    this.settled = null; // a command under way that a state contains already, and so does not wait any more
    this.isUnderWay = false; // a command was sent, and its answer has not been taken in here
    this.isGivingUp = false; // as soon as everything that waits is answered
    this.hasBegun = false;
    this.hasDropped = false; // actions that waited are no longer possible, and the player does not know yet
    /** @type {string | null} */
    this.outcome = null;
    this.result = "*";
    this.isPlayer = true;
    // The game is played elsewhere, or its connection has ended.
    this.isVeiled = false;
  }

  /** True if an action may be asked for now. */
  get canAct() {
    return this.isPlayed && !this.isFull;
  }

  /** True while this page plays the game, which it does no more once it has given up. */
  get isPlayed() {
    const isGivenUp = this.client.open?.type === "resign";
    return this.hasBegun && this.isPlayer && !this.isVeiled && !isGivenUp && this.result === "*";
  }

  /** True if as many actions wait for the server as are kept. */
  get isFull() {
    return this.waiting.length >= LONGEST_QUEUE;
  }

  /** True if a card was turned up whose face has not arrived yet. */
  get awaitsFaces() {
    return unseenCards(this.rules, this.shown.board, this.shown.faces).length > 0;
  }

  get canUndo() {
    return this.canAct && this.shown.past.length > 0;
  }

  get canRedo() {
    return this.canAct && this.shown.future.length > 0;
  }

  /** Show an action at once and ask the server for it. Return false if it is not possible here. @param {string} action */
  act(action) {
    const next = this.canAct ? advance(this.rules, this.shown, action) : null;
    if (!next) return false;
    this.waiting.push(action);
    this.show(next, { kind: action === "U" ? "undone" : "moved", action });
    this.sendNext();
    return true;
  }

  /** Give up after the actions that wait. */
  giveUp() {
    this.isGivingUp = this.isPlayed;
    this.sendNext();
  }

  /** Send the first queued command, unless one is under way. */
  sendNext() {
    if (this.client.open || this.isUnderWay) return;
    const [action] = this.waiting;
    if (action === undefined) {
      if (this.isGivingUp && this.isPlayed) this.client.send({ type: "resign" });
      this.isGivingUp = false;
      return;
    }
    this.isUnderWay = true;
    const type = COMMANDS[action];
    this.client.send(type ? { type } : { type: "play", move: action });
  }

  /** @param {Step} step @param {Change} change */
  show(step, change) {
    this.shown = step;
    this.changed(change);
  }

  /** True if a state can only be understood with the game's record. @param {import("../client/game-client.js").State} state */
  needsRecord(state) {
    if (state.version === 0) return false;
    return !this.hasBegun || !sameBoard(readPosition(this.rules, state.position, this.confirmed.faces).board, this.confirmed.board);
  }

  /**
   * Take over a state. `record` is the game's record where there is one: it knows which moves can be undone.
   * @param {import("../client/game-client.js").Events["state"]} state @param {import("./notation.js").GameRecord | null} record
   */
  adopt(state, record) {
    const isFirst = !this.hasBegun;
    const before = this.confirmed;
    this.confirmed = this.stepOf(state, record);
    Object.assign(this, { hasBegun: true, outcome: state.outcome, result: state.result });
    if (this.result !== "*") this.waiting = [];
    this.settleOpen(state, record);
    const isSame = sameBoard(before.board, this.confirmed.board);
    const kind = isFirst ? "dealt" : isSame ? "moved" : "replaced";
    this.show(this.withWaiting(), { kind, action: "" });
    this.sendNext();
  }

  /** Do not show the command under way twice if a state already contains it. @param {import("../client/game-client.js").Events["state"]} state @param {import("./notation.js").GameRecord | null} record */
  settleOpen({ version, open }, record) {
    if (!open) {
      this.keep(0);
      this.isUnderWay = false;
    } else if (version > (open.version ?? version) && open !== this.settled) {
      this.settled = open;
      const at = open.version ?? 0;
      const isTaken = (record?.entries[at]?.action ?? this.waiting[0]) === this.waiting[0];
      if (isTaken) this.waiting.shift();
      // The actions behind it were chosen for its position, which is gone if the game went on elsewhere.
      if (!isTaken || version > at + 1) this.keep(0);
    }
  }

  /** @param {import("../client/game-client.js").State} state @param {import("./notation.js").GameRecord | null} record @returns {Step} */
  stepOf(state, record) {
    // The record may be newer than the state, and so may know faces that the state does not: its own step is the one.
    const known = record ? replay(this.rules, record)[state.version] : undefined;
    if (known) return { ...known, moves: state.moves };
    const { board, faces } = readPosition(this.rules, state.position, this.confirmed.faces);
    const isKept = this.hasBegun && sameBoard(board, this.confirmed.board);
    return isKept ? { ...this.confirmed, faces } : { board, faces, past: [], future: [], moves: state.moves };
  }

  /** Return the step to show: the confirmed one, with as many queued commands on top as can be played. */
  withWaiting() {
    let step = this.confirmed;
    for (const [index, action] of this.waiting.entries()) {
      const next = advance(this.rules, step, action);
      if (!next) {
        this.keep(index);
        break;
      }
      step = next;
    }
    return step;
  }

  /** Go on with the actions that were pending when the page was left, without those taken since. @param {{ version: number, waiting: string[] }} left @param {number} version @param {import("./notation.js").GameRecord | null} record */
  goOn({ version: before, waiting }, version, record) {
    const taken = record?.entries.slice(before, version) ?? [];
    const isSame = waiting.slice(0, taken.length).every((action, index) => taken[index]?.action === action);
    this.hasDropped ||= !isSame || !waiting.slice(taken.length).every((action) => this.act(action));
  }

  /** Take over an action that is durable. @param {import("../client/game-client.js").Events["played"]} played */
  confirm(played) {
    if (played.isAnswer) this.isUnderWay = false;
    if (!played.isNews) return this.sendNext();
    if (played.isAnswer) this.waiting.shift();
    else this.keep(0);
    if (!this.applied(played)) return this.client.resync();
    this.outcome = played.outcome;
    const [next] = this.waiting;
    if (next !== undefined && !COMMANDS[next] && !played.legal.includes(next)) this.keep(0);
    this.show(this.withWaiting(), { kind: played.move === "U" ? "undone" : "moved", action: played.move });
    this.sendNext();
  }

  /** Apply what was played; false if it cannot be: an undo of what this page has not seen. @param {import("../client/game-client.js").Played} played */
  applied(played) {
    const next = advance(this.rules, this.confirmed, played.move, played.revealed);
    if (!next && !played.position) return false;
    const told = played.position ? readPosition(this.rules, played.position, (next ?? this.confirmed).faces) : null;
    this.confirmed = next ?? { ...this.confirmed, ...told, past: [], future: [] };
    this.confirmed = { ...this.confirmed, moves: played.moves };
    return true;
  }

  /** Keep so many of the actions that wait, and note if others are dropped. @param {number} count */
  keep(count) {
    this.hasDropped ||= this.waiting.length > count;
    this.waiting.length = count;
  }

  /** Return true once if actions that waited were dropped since the last call. */
  takeDropped() {
    const { hasDropped } = this;
    this.hasDropped = false;
    return hasDropped;
  }

  /** Take back what the server has not taken. */
  rollBack() {
    this.waiting = [];
    this.isUnderWay = false;
    this.show(this.confirmed, { kind: "rolled-back", action: "" });
    this.sendNext();
  }

  /** Forget a hint that was asked for. */
  hinted() {
    this.isUnderWay = false;
    this.waiting = this.waiting.filter((action) => action !== "H");
    this.changed({ kind: "moved", action: "H" });
    this.sendNext();
  }
}

/** @param {import("./position.js").Board} one @param {import("./position.js").Board} other */
const sameBoard = (one, other) => JSON.stringify(one) === JSON.stringify(other);
