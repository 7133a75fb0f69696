import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Pyramid, Refused } from "../../../../clients/javascript/client/pyramid.js";

let asked, answers, pauses, pyramid;
const json = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const away = () => json(503, { code: "unavailable", message: "try again" });
const slow = (seconds) => json(429, { code: "too_many_requests", message: "wait" }, { "Retry-After": String(seconds) });

globalThis.fetch = async (address, options) => {
  asked.push({ address, ...options });
  const answer = answers.shift();
  if (answer instanceof Error) throw answer;
  if (answer === "never") return new Promise((_, reject) => (options.signal.aborted ? reject(options.signal.reason) : undefined));
  return answer;
};

beforeEach(() => {
  [asked, answers, pauses] = [[], [], []];
  pyramid = new Pyramid("http://server/", { token: "key", WebSocket: class {}, pause: async (seconds) => pauses.push(seconds) });
});

test("what is read is asked for again while the server is away, with pauses", async () => {
  answers = [new TypeError("fetch failed"), away(), json(200, { day: "2026-11-20" })];
  assert.deepEqual(await pyramid.read("/daily/"), { day: "2026-11-20" });
  assert.equal(pauses.length, 2);
  assert.deepEqual(asked.map(({ address }) => address), Array(3).fill("http://server/api/daily/"));
});

test("what is read is asked for again if its answer is cut off", async () => {
  const cut = new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
  answers = [new Response(cut), json(200, { day: "2026-11-20" })];
  assert.deepEqual(await pyramid.read("/daily/"), { day: "2026-11-20" });
  assert.equal(pauses.length, 1);
});

test("a request that is not answered is given up, so that a line that needs a ticket comes back", async (context) => {
  const waits = [];
  context.mock.method(AbortSignal, "timeout", (milliseconds) => {
    waits.push(milliseconds);
    return AbortSignal.abort(new DOMException("no answer", "TimeoutError"));
  });
  answers = ["never", "never", json(200, {})];
  await assert.rejects(pyramid.send("/tickets/"), { name: "TimeoutError" });
  await pyramid.read("/daily/");
  assert.deepEqual(waits, [30_000, 30_000, 30_000]);
});

test("what might take effect twice is sent once", async () => {
  answers = [new TypeError("fetch failed")];
  await assert.rejects(pyramid.send("/guests/"), TypeError);
  answers = [away()];
  await assert.rejects(pyramid.send("/guests/"), Refused);
  answers = [away(), json(200, {})];
  await pyramid.send("/games/g/resign/", { version: 1 }, { isRepeatable: true });
});

test("a short limit is waited out, a long one is a refusal with its code", async () => {
  answers = [slow(7), json(201, {})];
  await pyramid.send("/tickets/");
  assert.deepEqual(pauses, [7]);
  answers = [slow(3600)];
  await assert.rejects(pyramid.send("/tickets/"), { code: "too_many_requests", status: 429, retryAfter: 3600 });
  answers = [away()];
  await assert.rejects(pyramid.send("/guests/"), { code: "unavailable", retryAfter: undefined });
});

test("the token goes with every request and follows no redirect", async () => {
  answers = [json(200, {}), json(200, { token: "new", player: { handle: "a" } }), json(200, {})];
  await pyramid.read("/me/");
  assert.deepEqual(await pyramid.enter("/guests/", {}), { handle: "a" });
  await pyramid.read("/me/");
  assert.deepEqual(asked.map(({ headers }) => headers.Authorization), ["Bearer key", "Bearer key", "Bearer new"]);
  assert.ok(asked.every(({ redirect, credentials }) => redirect === "error" && credentials === "omit"));
});

test("an id that mallory has written leads to no other address", async () => {
  pyramid.token = "";
  const opened = [pyramid.play("../me"), pyramid.playToday("../me"), pyramid.playCup("a/b"), pyramid.playRace("?b"),
    pyramid.race("../me"), pyramid.cup("a#b"), pyramid.run("a/b"), pyramid.board("a?b", { club: "../me" })];
  const addresses = await Promise.all(opened.map((client) => client.address()));
  assert.deepEqual(addresses.map((address) => address.replace("ws://server/ws/", "")), [
    "games/..%2Fme/", "daily/..%2Fme/", "cups/a%2Fb/play/", "races/%3Fb/play/",
    "races/..%2Fme/", "cups/a%23b/1/", "runs/a%2Fb/", "clubs/..%2Fme/boards/a%3Fb/",
  ]);
  answers = [json(200, {}), json(200, {})];
  await pyramid.club("../me");
  await pyramid.table("a/b", { around: "c&d" });
  assert.deepEqual(asked.map(({ address }) => address), ["http://server/api/clubs/..%2Fme/", "http://server/api/boards/a%2Fb/?around=c%26d"]);
});

test("a game of a day is connected to by its own address once it is known, since the day may be over", async () => {
  answers = [json(201, { ticket: "one" }), json(201, { ticket: "two" })];
  const game = pyramid.playToday("relaxed");
  assert.equal(await game.address(), "ws://server/ws/daily/relaxed/?ticket=one");
  game.emit("state", { game: "7f3k" });
  assert.equal(await game.address(), "ws://server/ws/games/7f3k/?ticket=two");
});
