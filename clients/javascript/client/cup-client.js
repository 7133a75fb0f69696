// A division of a cup over its socket (docs/cups.md#the-socket): its bracket, and the cards left of those who play.
//
//   const cup = pyramid.cup("2x9k4m7vq1ht");
//   cup.on("bracket", ({ cup: { state, rounds } }) => ...);
//   cup.on("progress", ({ seats }) => ...);
//   cup.connect();
//
// Like that of a game, the connection is restored automatically. No token is needed.
import { LiveClient } from "./game-client.js";

/** @import * as messages from "pyramid-client/cup-messages" */
/** @typedef {messages.Cup} Cup */
/** @typedef {messages.CardsLeft} CardsLeft */
/**
 * @typedef {object} CupEvents
 * @property {{ cup: Cup }} bracket the cup: first, and whenever more than cards left has changed
 * @property {{ seats: CardsLeft[] }} progress those who have removed cards
 * @property {import("./game-client.js").Line} line
 */

/** @extends {LiveClient<CupEvents>} */
export class CupClient extends LiveClient {
  /** @override @param {any} message */
  receive(message) {
    if (message.type === "pong") this.stayAlive();
    if (message.type === "bracket") this.arrive(() => this.emit("bracket", { cup: message.cup }));
    if (message.type === "progress") this.emit("progress", { seats: message.seats }); // later versions may tell more
  }
}
