import { LiveClient } from "./game-client.js";
import type * as messages from "pyramid-client/race-messages";
export type Race = messages.Race;
export type Racer = messages.Racer;
export type RaceEvents = {
    room: {
        race: Race;
    };
    /**
     * the race with its new figures, and those that are new
     */
    standings: {
        race: Race;
        racers: Racer[];
    };
    done: messages.Done;
    refused: messages.Refused;
    line: import("./game-client.js").Line;
};
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
export declare class RaceClient extends LiveClient<RaceEvents, {
    type: "start" | "leave" | "rematch";
}> {
    /** @type {Race | null} */
    race: Race | null;
    ahead: number;
    /** @param {import("./game-client.js").Options} options */
    constructor(options: import("./game-client.js").Options);
    /** The time by the server's clock, in milliseconds since 1970. */
    get serverNow(): number;
    /** @override @param {any} message */
    receive(message: any): void;
    /** @param {string} type @param {any} event */
    tell(type: string, event: any): void;
    /** @param {string} time */
    setServerClock(time: string): void;
}
