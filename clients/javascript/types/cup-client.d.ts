import { LiveClient } from "./game-client.js";
import type * as messages from "pyramid-client/cup-messages";
export type Cup = messages.Cup;
export type CardsLeft = messages.CardsLeft;
export type CupEvents = {
    /**
     * the cup: first, and whenever more than cards left has changed
     */
    bracket: {
        cup: Cup;
    };
    /**
     * those who have removed cards
     */
    progress: {
        seats: CardsLeft[];
    };
    line: import("./game-client.js").Line;
};
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
export declare class CupClient extends LiveClient<CupEvents> {
    /** @override @param {any} message */
    receive(message: any): void;
}
