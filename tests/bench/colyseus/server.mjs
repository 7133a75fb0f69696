// The day of a player on Colyseus, for comparison: the least that is a game with accounts, a log and ranks.
// A move is "draw" or "turn over", whichever is possible, and is in the database before it is answered.
import { randomBytes, randomInt } from "node:crypto";
import http from "node:http";

import { Room, Server } from "@colyseus/core";
import { ArraySchema, Schema, defineTypes } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import pg from "pg";

const [port, database] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: database });
const PYRAMID = 28;

await pool.query(`
    CREATE TABLE players (id bigserial PRIMARY KEY, token text UNIQUE, name text);
    CREATE TABLE games (id bigserial PRIMARY KEY, player bigint REFERENCES players, deck text, ended timestamptz);
    CREATE TABLE moves (game bigint REFERENCES games, version int, move text, PRIMARY KEY (game, version));
    CREATE TABLE scores (game bigint PRIMARY KEY REFERENCES games, score int);
    CREATE INDEX ON scores (score);
`);

class State extends Schema {}
defineTypes(State, { pyramid: ["string"], waste: ["string"], stock: "number", version: "number" });

class Day extends Room {
    maxClients = 1;

    static async onAuth(token) {
        const { rows } = await pool.query("SELECT id FROM players WHERE token = $1", [token]);
        return rows.length === 1 && rows[0];
    }

    onCreate() {
        this.deck = shuffled();
        this.state = new State();
        this.state.pyramid = new ArraySchema(...this.deck.slice(0, PYRAMID));
        this.state.waste = new ArraySchema();
        this.state.stock = this.deck.length - PYRAMID;
        this.state.version = 0;
        this.onMessage("play", (client) => this.play(client));
        this.onMessage("resign", (client) => this.resign(client));
    }

    async onJoin(client, options, player) {
        const insert = "INSERT INTO games (player, deck) VALUES ($1, $2) RETURNING id";
        const { rows } = await pool.query(insert, [player.id, this.deck.join("")]);
        this.game = rows[0].id;
    }

    async play(client) {
        const { state } = this;
        const move = state.stock ? "D" : "R";
        const values = [this.game, state.version + 1, move];
        await pool.query("INSERT INTO moves (game, version, move) VALUES ($1, $2, $3)", values);
        if (move === "D") {
            state.waste.push(this.deck[this.deck.length - state.stock]);
            state.stock -= 1;
        } else {
            state.stock = state.waste.length;
            state.waste.clear();
        }
        state.version += 1;
        client.send("played", { version: state.version, move });
    }

    async resign(client) {
        const score = randomInt(1_000_000);
        await pool.query("UPDATE games SET ended = now() WHERE id = $1", [this.game]);
        await pool.query("INSERT INTO scores (game, score) VALUES ($1, $2)", [this.game, score]);
        const { rows } = await pool.query("SELECT count(*) AS better FROM scores WHERE score > $1", [score]);
        client.send("placed", { rank: Number(rows[0].better) + 1 });
    }
}

function shuffled() {
    const deck = [..."A23456789TJQK"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
    for (let last = deck.length - 1; last > 0; last -= 1) {
        const other = randomInt(last + 1);
        [deck[last], deck[other]] = [deck[other], deck[last]];
    }
    return deck;
}

async function answer(request, response) {
    if (request.method !== "POST") {
        response.end("ready");
        return;
    }
    let body = "";
    for await (const part of request) body += part;
    const token = randomBytes(32).toString("hex");
    await pool.query("INSERT INTO players (token, name) VALUES ($1, $2)", [token, JSON.parse(body).display_name]);
    response.writeHead(201, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ token }));
}

const server = new Server({ transport: new WebSocketTransport({ server: http.createServer(answer) }), greet: false });
server.define("day", Day);
await server.listen(Number(port), "127.0.0.1");
