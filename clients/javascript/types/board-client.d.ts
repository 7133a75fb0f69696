/** @import * as messages from "pyramid-client/board-messages" */
/** @typedef {messages.Row} Row */
/** @typedef {{ rows: Row[], own: Row | null, count: number, version: number }} Known */
/**
 * @typedef {object} BoardEvents
 * @property {Known} board the first rows in their order, your own wherever it is, and the number of all
 * @property {import("./game-client.js").Line} line
 */
/** @extends {GameClient<BoardEvents>} */
export class BoardClient extends GameClient<BoardEvents, import("./game-client.js").Command> {
    /** @param {import("./game-client.js").Options} options */
    constructor(options: import("./game-client.js").Options);
    /** @type {Row[]} */
    rows: Row[];
}
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
import { GameClient } from "./game-client.js";
import type * as messages from "pyramid-client/board-messages";
