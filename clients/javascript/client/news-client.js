// A player's notifications over their socket (docs/notifications.md): the unread number, and new ones.
//
//   const news = pyramid.news();
//   news.on("news", ({ unread, notifications }) => ...);
//   news.connect();
//
// Like that of a game, the connection is restored automatically.
import { GameClient } from "./game-client.js";

/** @import * as messages from "pyramid-client/me-messages" */
/** @typedef {messages.Notification} Notification */
/**
 * @typedef {object} NewsEvents
 * @property {messages.News} news the number of unread notifications, and those that are new: none in the first
 * @property {import("./game-client.js").Line} line
 */

const RESTARTING = 1012, TRY_AGAIN_LATER = 1013;

/** @extends {GameClient<NewsEvents>} */
export class NewsClient extends GameClient {
  /** News can wait: after a restart, pages reconnect with back-off instead of all at once. @override @param {number} code */
  closed(code) {
    super.closed(code === RESTARTING ? TRY_AGAIN_LATER : code);
  }

  /** @override @param {any} message */
  receive(message) {
    if (message.type === "news") this.arrive(() => this.emit("news", message));
    if (message.type === "pong") this.stayAlive();
  }
}
