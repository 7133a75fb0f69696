// A player's notifications over their socket (docs/notifications.md): the unread number, and new ones.
//
//   const news = pyramid.news();
//   news.on("news", ({ unread, notifications }) => ...);
//   news.connect();
//
// Like that of a game, the connection is restored automatically.
import { LiveClient } from "./game-client.js";

/** @import * as messages from "pyramid-client/me-messages" */
/** @typedef {messages.Notification} Notification */
/**
 * @typedef {object} NewsEvents
 * @property {messages.News} news the number of unread notifications, and those that are new: in the first only what cannot wait
 * @property {import("./game-client.js").Line} line
 */

/** @extends {LiveClient<NewsEvents>} */
export class NewsClient extends LiveClient {
  /** @override @param {any} message */
  receive(message) {
    if (message.type === "news") this.arrive(() => this.emit("news", message));
    if (message.type === "pong") this.stayAlive();
  }
}
