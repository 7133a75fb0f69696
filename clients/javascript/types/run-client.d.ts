import { LiveClient } from "./game-client.js";
import type * as messages from "pyramid-client/run-messages";
export type RunEvents = {
    shown: messages.Shown;
    judged: messages.Judged;
    refused: messages.Refused;
    line: import("./game-client.js").Line;
};
export type RunCommand = {
    type: "remove" | "look" | "end";
    number?: number;
    moves?: string[];
};
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
export declare class RunClient extends LiveClient<RunEvents, RunCommand> {
    /** @type {messages.Run | null} */
    run: messages.Run | null;
    /** @param {import("./game-client.js").Options} options */
    constructor(options: import("./game-client.js").Options);
    /** @override @param {any} message */
    receive(message: any): void;
    /** @param {string} type @param {any} message */
    answer(type: string, message: any): void;
}
