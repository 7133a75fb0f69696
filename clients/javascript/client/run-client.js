// A streak or a storm over its socket (docs/puzzles.md), which is begun over REST.
//
//   const { id } = await pyramid.send("/puzzles/runs/", { kind: "storm" });
//   const run = pyramid.run(id);
//   run.on("shown", ({ run }) => ...);
//   run.connect();
//   run.send({ type: "remove", number: 1, moves: ["5d8h"] });
//
// Like that of a game, the connection is restored automatically, and a command that was not answered is sent again. A
// removal that was stored before its answer was lost is then refused as `stale_puzzle`, and the run is shown.
import { LiveClient } from "./game-client.js";

/** @import * as messages from "pyramid-client/run-messages" */
/**
 * @typedef {object} RunEvents
 * @property {messages.Shown} shown
 * @property {messages.Judged} judged
 * @property {messages.Refused} refused
 * @property {import("./game-client.js").Line} line
 */
/** @typedef {{ type: "remove" | "look" | "end", number?: number, moves?: string[] }} RunCommand */

/** @extends {LiveClient<RunEvents, RunCommand>} */
export class RunClient extends LiveClient {
  /** @param {import("./game-client.js").Options} options */
  constructor(options) {
    super(options);
    /** @type {messages.Run | null} */
    this.run = null;
  }

  /** @override @param {any} message */
  receive(message) {
    HANDLERS[message.type]?.(this, message); // a type that is not known is ignored: later versions may tell more
  }

  /** @param {string} type @param {any} message */
  answer(type, message) {
    if (message.run) this.run = message.run;
    if (this.isAnswer(message.id)) this.open = null;
    this.emit(type, message);
  }
}

/** @type {Record<string, (client: RunClient, message: any) => void>} */
const HANDLERS = {
  shown(client, message) {
    if (message.id === null) client.arrive(() => client.answer("shown", message));
    else client.answer("shown", message);
  },
  judged(client, message) {
    client.answer("judged", message);
  },
  refused(client, message) {
    client.answer("refused", message);
  },
  pong(client) {
    client.stayAlive();
  },
};
