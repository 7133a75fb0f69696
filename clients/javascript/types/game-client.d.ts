import type * as messages from "pyramid-client/messages";
export type State = messages.State;
export type Played = messages.Played;
export type Refused = messages.Refused;
export type Hinted = messages.Hinted;
export type Unwinnable = messages.Unwinnable;
export type Finished = messages.Finished;
export type Placed = messages.Placed;
export type Restarted = messages.Restarted;
export type Missed = messages.Missed;
export type Superseded = messages.Superseded;
export type Line = {
    line: "open" | "quiet" | "waiting" | "stopped";
    code: number;
};
export type Events = {
    /**
     * with the command that was under way when it came
     */
    state: State & {
        open: Command | null;
    };
    /**
     * `isNews` is false for an action that was known already
     */
    played: Played & {
        isNews: boolean;
        isAnswer: boolean;
    };
    refused: Refused & {
        command: Command | null;
    };
    hinted: Hinted;
    unwinnable: Unwinnable;
    finished: Finished;
    placed: Placed;
    restarted: Restarted;
    missed: Missed;
    superseded: Superseded;
    line: Line;
};
export type Command = {
    type: "play" | "undo" | "redo" | "hint" | "resign" | "restart";
    move?: string;
    version?: number;
};
export type Socket = {
    close(): void;
    send(text: string): void;
    readyState: number;
    onmessage: any;
    onclose: any;
    onerror: any;
};
export type Options = {
    /**
     * asked for each attempt, so that it may have a new ticket
     */
    address: () => string | Promise<string>;
    WebSocket?: new (address: string) => Socket;
    /**
     * milliseconds on a clock that never jumps
     */
    now?: () => number;
    random?: () => number;
};
/** Return how long to wait before an attempt, 1, 2, 3 ..., in milliseconds. @param {number} attempt @param {number} random 0 to 1 */
export declare const backOff: (attempt: number, random: number) => number;
/**
 * A socket that is restored by itself, with one command under way at a time. A class for each kind of socket receives its
 * messages, and says which events it has and which commands it takes.
 * @template E
 * @template {{ type: string }} [C=never]
 */
export declare class LiveClient<E, C extends {
    type: string;
} = never> {
    address: () => string | Promise<string>;
    WebSocket: new (address: string) => Socket;
    now: () => number;
    random: () => number;
    /** @type {(C & { id?: number }) | null} */
    open: (C & {
        id?: number;
    }) | null;
    /** @type {Map<string, ((event: any) => void)[]>} */
    listeners: Map<string, ((event: any) => void)[]>;
    /** @type {Socket | null} */
    socket: Socket | null;
    isReady: boolean;
    isWanted: boolean;
    isQuiet: boolean;
    attempts: number;
    renewals: number;
    lastId: number;
    lastSent: number;
    dialedAt: number;
    deadAt: number;
    /** @type {Record<string, any>} */
    timers: Record<string, any>;
    /** @param {Options} options */
    constructor({ address, WebSocket, now, random }: Options);
    /** @template {keyof E & string} T @param {T} type @param {(event: E[T]) => void} listener */
    on<T extends keyof E & string>(type: T, listener: (event: E[T]) => void): this;
    /** @param {string} type @param {any} event */
    emit(type: string, event: any): void;
    /** Open the socket, or open it again after it has stopped. */
    connect(): void;
    /** Close the socket permanently. */
    disconnect(): void;
    /** Send a command. @param {C} command */
    send(command: C): void;
    /** Tell the client that its player is back: the line is tried at once. */
    wake(): void;
    /** Tell the client that its machine has lost the network: no answer is waited for. */
    lose(): void;
    /** Note that the line is open once its first message is here, which `tell` tells. @param {() => void} tell */
    arrive(tell: () => void): void;
    /** Note that a ping was answered: the next one is due later. */
    stayAlive(): void;
    dial(): Promise<void>;
    /** Expect to hear something: without it the line is quiet, and at last given up. @param {number} within milliseconds */
    expect(within: number): void;
    /** @param {string} data */
    hear(data: string): void;
    forgetExpected(): void;
    /** Return the address; without one, as without a server, the line comes back later. @returns {Promise<string | null>} */
    findAddress(): Promise<string | null>;
    /** Leave a line without waiting for the other side. */
    drop(): void;
    /** @param {number} code @param {number} [asked] milliseconds that the server asks to wait */
    closed(code: number, asked?: number): void;
    /** Send the command that is not answered yet, as soon as the server accepts it; without a connection it waits for one. */
    transmit(): void;
    /** @param {object} message @param {number} [within] milliseconds in which something has to be heard */
    write(message: object, within?: number): number;
    /** @param {number} [within] milliseconds in which the answer has to come */
    ping(within?: number): void;
    /** Take a message; one of a type that is not known is ignored: later versions may tell more. @param {any} message */
    receive(message: any): void;
    /** @param {number | null} id */
    isAnswer(id: number | null): boolean;
}
/** @extends {LiveClient<Events, Command>} */
export declare class GameClient extends LiveClient<Events, Command> {
    version: number;
    clock: {
        elapsed: number;
        at: number;
        runs: boolean;
    };
    /** @param {Options} options */
    constructor(options: Options);
    /** The time on the game's clock in milliseconds: what the server said last, and what has passed since. */
    get elapsed(): number;
    /** Send a command chosen at the current version. @override @param {Command} command */
    send(command: Command): void;
    /** Ask for the whole state. */
    resync(): void;
    /** @override @param {any} message */
    receive(message: any): void;
    /** @param {number} elapsed @param {boolean} runs */
    setClock(elapsed: number, runs: boolean): void;
}
