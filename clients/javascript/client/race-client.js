// A race over its socket (docs/races.md): its racers and their progress. Racers play their games with a `GameClient`.
//
//   const race = pyramid.race("2x9k4m7vq1ht");
//   race.on("room", ({ race: { state, game } }) => ...);
//   race.on("standings", ({ racers }) => ...);
//   race.connect();
//   race.send({ type: "start" });
//
// Like that of a game, the connection is restored automatically, and a command that was not answered is sent again.
import { LiveClient } from "./game-client.js";

/** @import * as messages from "pyramid-client/race-messages" */
/** @typedef {messages.Race} Race */
/** @typedef {messages.Racer} Racer */
/**
 * @typedef {object} RaceEvents
 * @property {{ race: Race }} room
 * @property {{ race: Race, racers: Racer[] }} standings the race with its new figures, and those that are new
 * @property {messages.Done} done
 * @property {messages.Refused} refused
 * @property {import("./game-client.js").Line} line
 */

/** @extends {LiveClient<RaceEvents, { type: "start" | "leave" | "rematch" }>} */
export class RaceClient extends LiveClient {
  /** @param {import("./game-client.js").Options} options */
  constructor(options) {
    super(options);
    /** @type {Race | null} */
    this.race = null;
    this.ahead = 0; // milliseconds that the server's clock is ahead of this one
  }

  /** The time by the server's clock, in milliseconds since 1970. */
  get serverNow() {
    return Date.now() + this.ahead;
  }

  /** @override @param {any} message */
  receive(message) {
    HANDLERS[message.type]?.(this, message); // a type that is not known is ignored: later versions may tell more
  }

  /** @param {string} type @param {any} event */
  tell(type, event) {
    this.emit(type, event);
  }

  /** @param {string} time */
  setServerClock(time) {
    this.ahead = Date.parse(time) - Date.now();
  }
}

/** @type {Record<string, (client: RaceClient, message: any) => void>} */
const HANDLERS = {
  room(client, { race, server_now: now }) {
    client.race = race;
    client.setServerClock(now);
    client.arrive(() => client.tell("room", { race }));
  },
  standings(client, { racers }) {
    if (!client.race) return;
    const later = new Map(racers.map((/** @type {Racer} */ racer) => [racer.handle, racer]));
    client.race = { ...client.race, racers: client.race.racers.map((racer) => later.get(racer.handle) ?? racer) };
    client.tell("standings", { race: client.race, racers });
  },
  done(client, message) {
    if (client.isAnswer(message.id)) client.open = null;
    client.tell("done", message);
  },
  refused(client, message) {
    if (client.isAnswer(message.id)) client.open = null;
    client.tell("refused", message);
  },
  pong(client, { server_now: now }) {
    client.setServerClock(now);
    client.stayAlive();
  },
};
