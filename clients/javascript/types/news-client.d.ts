import { LiveClient } from "./game-client.js";
import type * as messages from "pyramid-client/me-messages";
export type Notification = messages.Notification;
export type NewsEvents = {
    /**
     * the number of unread notifications, and those that are new: in the first only what cannot wait
     */
    news: messages.News;
    line: import("./game-client.js").Line;
};
/** @import * as messages from "pyramid-client/me-messages" */
/** @typedef {messages.Notification} Notification */
/**
 * @typedef {object} NewsEvents
 * @property {messages.News} news the number of unread notifications, and those that are new: in the first only what cannot wait
 * @property {import("./game-client.js").Line} line
 */
/** @extends {LiveClient<NewsEvents>} */
export declare class NewsClient extends LiveClient<NewsEvents> {
    /** @override @param {any} message */
    receive(message: any): void;
}
