import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { GameClient, backOff } from "../../../../clients/javascript/client/game-client.js";

const sockets = [];

class FakeSocket {
  constructor(address) {
    Object.assign(this, { address, readyState: 1, sent: [], isClosed: false });
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.isClosed = true;
  }
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  ends(code, reason = "") {
    this.onclose({ code, reason });
  }
}

let now, client, heard;
const state = (version = 0, more = {}) => ({ type: "state", game: "g", version, rules: "standard", position: "", legal: [], moves: version, elapsed_ms: 1000, outcome: null, result: "*", ...more });
const played = (id, version, more = {}) => ({ type: "played", id, version, move: "D", revealed: [], legal: [], moves: version, at_ms: 2000, outcome: null, ...more });
const flush = () => new Promise((resolve) => setImmediate(resolve));
const last = () => sockets.at(-1);
const commands = () => last().sent.filter(({ type }) => type !== "ping");

async function pass(milliseconds) {
  now += milliseconds;
  mock.timers.tick(milliseconds);
  await flush();
}

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  sockets.length = 0;
  [now, heard] = [0, []];
  client = new GameClient({ address: () => "ws://server/", WebSocket: FakeSocket, now: () => now, random: () => 0 });
  for (const type of ["state", "played", "refused", "line", "superseded", "finished"]) client.on(type, (event) => heard.push([type, event]));
  client.connect();
  await flush();
});

const heardTypes = () => heard.map(([type]) => type);

test("a command waits for the state and names the version it was chosen at", () => {
  client.send({ type: "play", move: "D" });
  assert.deepEqual(commands(), []);
  last().says(state(4));
  assert.deepEqual(commands(), [{ type: "play", move: "D", version: 0, id: 1 }]);
});

test("what a listener of the first state sends is sent once, and its answer is the answer", async () => {
  client.on("state", () => client.send({ type: "hint" }));
  last().says(state(4));
  await pass(1000);
  assert.deepEqual(commands(), [{ type: "hint", version: 4, id: 1 }]);
  last().says({ type: "hinted", id: 1, version: 5 });
  assert.equal(client.open, null);
});

test("one command is under way at a time", () => {
  last().says(state());
  client.send({ type: "play", move: "D" });
  assert.throws(() => client.send({ type: "undo" }), /has not been answered/);
  last().says(played(1, 1));
  client.send({ type: "undo" });
});

test("a command that was not answered is sent again, with its old version, on the next line", async () => {
  last().says(state());
  client.send({ type: "play", move: "D" });
  last().ends(1006);
  await pass(500);
  last().says(state(1));
  assert.equal(sockets.length, 2);
  assert.deepEqual(commands().map(({ version }) => version), [0]);
  last().says(played(commands()[0].id, 1));
  assert.equal(client.open, null);
  assert.equal(heard.at(-1)[1].isNews, false);
});

test("back-off doubles up to half a minute and begins again after a state", async () => {
  assert.deepEqual([1, 2, 3, 9].map((attempt) => backOff(attempt, 1)), [1000, 2000, 4000, 30_000]);
  assert.equal(backOff(1, 0), 500);
  last().ends(1006);
  await pass(499);
  assert.equal(sockets.length, 1);
  await pass(1);
  assert.equal(sockets.length, 2);
  last().ends(1006);
  await pass(999);
  assert.equal(sockets.length, 2);
  await pass(1);
  last().says(state());
  last().ends(1006);
  await pass(500);
  assert.equal(sockets.length, 4);
});

test("a server that is restarted is tried at once", async () => {
  last().says(state());
  last().ends(1012);
  await pass(0);
  assert.equal(sockets.length, 2);
});

test("a server that names a time is tried then, however often it did before", async () => {
  last().ends(1012, "retry_after_ms=1500");
  for (const [milliseconds, expected] of [[1499, 1], [1, 2]]) {
    await pass(milliseconds);
    assert.equal(sockets.length, expected);
  }
  last().ends(1013, "retry_after_ms=20000");
  await pass(19_999);
  assert.equal(sockets.length, 2);
  await pass(1);
  last().ends(1013, "retry_after_ms=9999999");
  await pass(4000);
  assert.equal(sockets.length, 4);
});

for (const code of [4403, 4404, 4408, 4409]) {
  test(`after ${code} only a person connects again`, async () => {
    last().says(state());
    client.send({ type: "play", move: "D" });
    last().ends(code);
    await pass(100_000);
    assert.equal(sockets.length, 1);
    assert.deepEqual(heard.at(-1), ["line", { line: "stopped", code }]);
    client.connect();
    await flush();
    last().says(state());
    assert.equal(commands().length, code === 4409 ? 0 : 1);
  });
}

test("a ticket that was refused is renewed once", async () => {
  last().ends(4401);
  await pass(0);
  assert.equal(sockets.length, 2);
  last().ends(4401);
  await pass(100_000);
  assert.equal(sockets.length, 2);
});

const lines = () => heard.filter(([type]) => type === "line").map(([, { line }]) => line);

test("a line that swallows a command is quiet after 0.7 seconds, and given up after six", async () => {
  last().says(state());
  client.send({ type: "play", move: "D" });
  await pass(699);
  assert.deepEqual(lines(), ["open"]);
  await pass(1);
  assert.deepEqual(lines(), ["open", "quiet"]);
  await pass(5300);
  assert.deepEqual(lines(), ["open", "quiet", "waiting"]);
  await pass(500);
  last().says(state());
  assert.deepEqual(lines(), ["open", "quiet", "waiting", "open"]);
  assert.deepEqual(commands(), [{ type: "play", move: "D", version: 0, id: 2 }]);
});

test("whatever is heard ends a silence", async () => {
  last().says(state());
  client.send({ type: "play", move: "D" });
  await pass(800);
  last().says(played(1, 1));
  await pass(10_000);
  assert.deepEqual(lines(), ["open", "quiet", "open"]);
});

test("without a network the line is lost at once, and tried at once when it is back", async () => {
  last().says(state());
  client.lose();
  assert.deepEqual(lines(), ["open", "waiting"]);
  client.wake();
  await flush();
  assert.equal(sockets.length, 2);
  client.wake();
  await flush();
  assert.equal(sockets.length, 2, "a connection that has just been begun is waited for");
  await pass(1000);
  client.wake();
  await flush();
  assert.equal(sockets.length, 3);
});

test("a connection that never says anything is given up", async () => {
  await pass(15_000);
  assert.ok(sockets[0].isClosed);
  await pass(500);
  assert.equal(sockets.length, 2);
});

test("a line without a pong is given up", async () => {
  last().says(state());
  await pass(20_000);
  assert.equal(last().sent.at(-1).type, "ping");
  await pass(6_000);
  assert.ok(sockets[0].isClosed);
  await pass(500);
  assert.equal(sockets.length, 2);
});

test("a client that comes back waits three seconds for an answer to a ping", async () => {
  last().says(state());
  client.wake();
  await pass(2999);
  assert.ok(!sockets[0].isClosed);
  last().says({ type: "pong", id: 1, elapsed_ms: 5000 });
  await pass(10_000);
  assert.ok(!sockets[0].isClosed);
});

test("waking cuts a back-off short", async () => {
  last().ends(1006);
  client.wake();
  await flush();
  assert.equal(sockets.length, 2);
});

test("a database that is away is asked again with the same command", async () => {
  last().says(state());
  client.send({ type: "play", move: "D" });
  last().says({ type: "refused", id: 1, code: "unavailable", message: "", version: null });
  assert.ok(client.open);
  await pass(1000);
  assert.deepEqual(commands().map(({ id, version }) => [id, version]), [[1, 0], [2, 0]]);
});

test("a refusal is reported with its command", () => {
  last().says(state());
  client.send({ type: "play", move: "4s9s" });
  last().says({ type: "refused", id: 1, code: "illegal_move", message: "no", version: 0 });
  assert.equal(client.open, null);
  assert.equal(heard.at(-1)[1].command.move, "4s9s");
});

test("a gap in what was played asks for the state", () => {
  last().says(state());
  last().says(played(null, 3));
  assert.equal(commands().at(-1).type, "sync");
  assert.ok(!heardTypes().includes("played"));
});

test("commands are paced to twenty a second", async () => {
  last().says(state());
  client.send({ type: "play", move: "D" });
  last().says(played(1, 1));
  client.send({ type: "play", move: "D" });
  assert.equal(commands().length, 1);
  await pass(50);
  assert.equal(commands().length, 2);
});

test("the clock runs on from what the server said, may jump back, and stops at the end", async () => {
  last().says(state(0, { elapsed_ms: 7000 }));
  await pass(500);
  assert.equal(client.elapsed, 7500);
  last().says(played(null, 1, { at_ms: 7100 }));
  assert.equal(client.elapsed, 7100);
  last().says({ type: "finished", version: 1, result: "won", moves: 1, elapsed_ms: 7100, cards_left: 0 });
  await pass(500);
  assert.equal(client.elapsed, 7100);
});

test("a finished game forgets the command that was not answered, and types that are not known are ignored", () => {
  client.send({ type: "play", move: "D" });
  last().says({ type: "confetti" });
  last().says(state(9, { result: "won" }));
  assert.equal(client.open, null);
  assert.deepEqual(commands(), []);
});

test("an address that cannot be had, as a ticket of a server that is away, is asked for again", async () => {
  let asked = 0;
  client.disconnect();
  client.address = async () => {
    asked += 1;
    if (asked === 1) throw new Error("no server");
    return "ws://server/";
  };
  client.connect();
  await flush();
  assert.deepEqual(heard.at(-1), ["line", { line: "waiting", code: 1006 }]);
  await pass(500);
  assert.deepEqual([asked, sockets.length], [2, 2]);
});

test("a client that is no longer signed in gets no ticket, and is not asked for one forever", async () => {
  let asked = 0;
  client.disconnect();
  client.address = async () => {
    asked += 1;
    throw Object.assign(new Error("signed out"), { status: 401 });
  };
  client.connect();
  for (let second = 0; second < 100; second += 1) await pass(1000);
  assert.equal(asked, 2);
  assert.deepEqual(heard.at(-1), ["line", { line: "stopped", code: 4401 }]);
});
