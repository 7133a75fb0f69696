import assert from "node:assert/strict";
import { test } from "node:test";
import { NewsClient } from "../../../../clients/javascript/client/news-client.js";

class FakeSocket {
  static last = null;
  constructor() {
    Object.assign(this, { readyState: 1, sent: [] });
    FakeSocket.last = this;
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const flush = () => new Promise((resolve) => setImmediate(resolve));

test("news arrive one by one, and the line comes back by itself", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const heard = [], lines = [];
  const client = new NewsClient({ address: () => "ws://server/ws/me/", WebSocket: FakeSocket, random: () => 0 });
  client.on("news", ({ unread, notifications }) => heard.push([unread, notifications.length])).on("line", ({ line }) => lines.push(line));
  client.connect();
  await flush();
  FakeSocket.last.says({ type: "news", unread: 1, notifications: [] });
  FakeSocket.last.says({ type: "news", unread: 2, notifications: [{ id: 7, words: "Bob invites you to a race.", page: "/races/x/" }] });
  FakeSocket.last.says({ type: "of a later version" });
  assert.deepEqual(heard, [[1, 0], [2, 1]]);
  context.mock.timers.tick(20_000);
  assert.deepEqual(FakeSocket.last.sent, [{ type: "ping", id: 1 }]);
  FakeSocket.last.says({ type: "pong", id: 1 });
  context.mock.timers.tick(19_999);
  assert.deepEqual(lines, ["open"]);
  const first = FakeSocket.last;
  first.onclose({ code: 1006 });
  context.mock.timers.tick(499);
  await flush();
  assert.equal(FakeSocket.last, first);
  context.mock.timers.tick(1);
  await flush();
  assert.notEqual(FakeSocket.last, first);
  FakeSocket.last.says({ type: "news", unread: 0, notifications: [] });
  assert.deepEqual(lines, ["open", "waiting", "open"]);
  client.disconnect();
});
