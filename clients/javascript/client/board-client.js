// A score table over its socket (docs/leaderboards.md#live): its first rows, and their changes as they come.
//
//   const board = pyramid.board("daily.2026-11-20.standard.open-bots.fewest-moves");
//   board.on("board", ({ rows, own, count }) => ...);
//   board.connect();
//
// Like that of a game, the connection is restored automatically. No token is needed.
import { LiveClient } from "./game-client.js";

/** @import * as messages from "pyramid-client/board-messages" */
/** @typedef {messages.Row} Row */
/** @typedef {{ rows: Row[], own: Row | null, count: number, version: number }} Known */
/**
 * @typedef {object} BoardEvents
 * @property {Known} board the first rows in their order, your own wherever it is, and the number of all
 * @property {import("./game-client.js").Line} line
 */

/** @extends {LiveClient<BoardEvents>} */
export class BoardClient extends LiveClient {
  /** @param {import("./game-client.js").Options} options */
  constructor(options) {
    super(options);
    /** @type {Row[]} */
    this.rows = [];
    this.version = 0;
  }

  /** @override @param {any} message */
  receive(message) {
    if (message.type === "pong") this.stayAlive();
    if (message.type !== "table" && message.type !== "changes") return; // later versions may tell more
    const { rows, gone = [], own, count, version } = message;
    const changed = new Set([...rows.map((/** @type {Row} */ row) => row.player.handle), ...gone]);
    const kept = message.type === "table" ? [] : this.rows.filter(({ player }) => !changed.has(player.handle));
    this.rows = [...kept, ...rows].sort((one, other) => one.place - other.place);
    this.version = version;
    this.arrive(() => this.emit("board", { rows: this.rows, own, count, version }));
  }
}
