import { BoardClient } from "./board-client.js";
import { CupClient } from "./cup-client.js";
import { GameClient, backOff } from "./game-client.js";
import { NewsClient } from "./news-client.js";
import { RaceClient } from "./race-client.js";
import { RunClient } from "./run-client.js";
export { BoardClient, CupClient, GameClient, NewsClient, RaceClient, RunClient, backOff };
export type Options = import("./game-client.js").Options;
/**
 * The server refused a request, and nothing was changed. `code` is stable, the message is for people; `retryAfter` are
 * the seconds to wait, if the server said so.
 */
export declare class Refused extends Error {
    status: number;
    code: string;
    game: string | undefined;
    retryAfter: number | undefined;
    /** @param {number} status @param {{ code?: string, message?: string, game?: string, fields?: Record<string, string[]> }} told @param {number} [retryAfter] */
    constructor(status: number, { code, message, game, fields }: {
        code?: string;
        message?: string;
        game?: string;
        fields?: Record<string, string[]>;
    }, retryAfter?: number);
}
export declare class Pyramid {
    server: string;
    token: string;
    WebSocket: new (address: string) => import("./game-client.js").Socket;
    pause: (seconds: number) => Promise<void>;
    /**
     * @param {string} server such as `https://example.org`
     * @param {{ token?: string, WebSocket?: Options["WebSocket"], pause?: (seconds: number) => Promise<void> }} [options]
     */
    constructor(server: string, { token, WebSocket, pause }?: {
        token?: string;
        WebSocket?: Options["WebSocket"];
        pause?: (seconds: number) => Promise<void>;
    });
    /** Return the answer to a GET. It is asked for again while the server is away. @param {string} path such as `/daily/` */
    read(path: string): Promise<any>;
    /**
     * Return the answer to a POST, which is sent once unless it may be repeated: an action, a resignation or the start of
     * a daily deal takes effect once.
     * @param {string} path @param {object} body @param {{ isRepeatable?: boolean }} [options]
     */
    send(path: string, body?: object, { isRepeatable }?: {
        isRepeatable?: boolean;
    }): Promise<any>;
    /** Send a request that answers with a token, and use that from now on. @param {string} path @param {object} body */
    enter(path: string, body: object): Promise<any>;
    /** Return today's ranked attempt at a rule set, new or continued; `connect` starts its clock. @param {string} [rules] */
    playToday(rules?: string): GameClient;
    /** Return a game by its id: to play it if it is yours, or else to watch. @param {string} game */
    play(game: string): GameClient;
    /** Return your game in the qualification of a cup; the first `connect` enters it. @param {string} cup */
    playCup(cup: string): GameClient;
    /** Return your game in a race, whose first state comes when the race begins. @param {string} race */
    playRace(race: string): GameClient;
    /** Return a client of the game that an address leads to: once it is known, it is found by its own address. @param {string} path */
    clientOf(path: string): GameClient;
    /** Return a race by its id, to follow it and, if you are in it, to start, leave and repeat it. @param {string} race */
    race(race: string): RaceClient;
    /** Return a division of a cup, to follow its bracket. @param {string} cup its id @param {number} [division] */
    cup(cup: string, division?: number): CupClient;
    /** Return a streak or a storm by its id, to play it. @param {string} run */
    run(run: string): RunClient;
    /** Return your own news, to hear of notifications as they come. */
    news(): NewsClient;
    /**
     * Return a score table, to follow its first rows and your own; with the id of a club, those of its members.
     * @param {string} slug such as `daily.2026-11-20.standard.open.fewest-moves` @param {{ club?: string }} [options]
     */
    board(slug: string, { club }?: {
        club?: string;
    }): BoardClient;
    /** Return rows of a score table; with the id of a club, those of its members. @param {string} slug @param {{ club?: string, limit?: number, around?: string, cursor?: string }} [options] */
    table(slug: string, { club, ...asked }?: {
        club?: string;
        limit?: number;
        around?: string;
        cursor?: string;
    }): Promise<any>;
    /** Return your clubs, and those that wait for you or that you wait for. */
    clubs(): Promise<any>;
    /** Return a club with its members. @param {string} club its id */
    club(club: string): Promise<any>;
    /** Join a club, or ask to, and return it. @param {string} letters the six letters of the club */
    joinClub(letters: string): Promise<any>;
    /** @param {() => string} path asked for each connection */
    clientAt(path: () => string): GameClient;
    /** @param {() => string} path asked for each connection */
    optionsAt(path: () => string): {
        address: () => Promise<string>;
        WebSocket: new (address: string) => import("./game-client.js").Socket;
    };
    /** @param {string} path @param {object | undefined} body @param {boolean} isRepeatable @returns {Promise<any>} */
    persist(path: string, body: object | undefined, isRepeatable: boolean): Promise<any>;
    /** @param {string} path @param {object | undefined} body */
    ask(path: string, body: object | undefined): Promise<Response>;
}
