import { LiveClient } from "./game-client.js";
import type * as messages from "pyramid-client/board-messages";
export type Row = messages.Row;
export type Known = {
    rows: Row[];
    own: Row | null;
    count: number;
    version: number;
};
export type BoardEvents = {
    /**
     * the first rows in their order, your own wherever it is, and the number of all
     */
    board: Known;
    line: import("./game-client.js").Line;
};
/** @import * as messages from "pyramid-client/board-messages" */
/** @typedef {messages.Row} Row */
/** @typedef {{ rows: Row[], own: Row | null, count: number, version: number }} Known */
/**
 * @typedef {object} BoardEvents
 * @property {Known} board the first rows in their order, your own wherever it is, and the number of all
 * @property {import("./game-client.js").Line} line
 */
/** @extends {LiveClient<BoardEvents>} */
export declare class BoardClient extends LiveClient<BoardEvents> {
    /** @type {Row[]} */
    rows: Row[];
    version: number;
    /** @param {import("./game-client.js").Options} options */
    constructor(options: import("./game-client.js").Options);
    /** @override @param {any} message */
    receive(message: any): void;
}
