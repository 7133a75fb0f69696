// Plays a practice game against the real server while its line is cut again and again, and says how it went.
import { connect, createServer } from "node:net";
import { GameClient } from "../../../../clients/javascript/client/game-client.js";
import { Game } from "games/play/game.js";
import { readRecord, replay, writePosition } from "games/play/notation.js";
import { legalMoves } from "games/play/position.js";

const [port, slug, most] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const api = `http://127.0.0.1:${port}/api`;

async function ask(path, token, body) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(api + path, { headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body) });
  return answer.json();
}

/** A line that can be cut in the middle of whatever is said. */
const pairs = new Set();
const line = createServer((caller) => {
  const server = connect(port, "127.0.0.1");
  const pair = [caller, server];
  pairs.add(pair);
  for (const end of pair) end.on("error", () => {}).on("close", () => pairs.delete(pair));
  caller.pipe(server).pipe(caller);
});
await new Promise((resolve) => line.listen(0, "127.0.0.1", resolve));
const cut = () => pairs.forEach((pair) => pair.forEach((end) => end.destroy()));

const { token } = await ask("/guests/", "", {});
const { id } = await ask("/games/", token, { kind: "practice", rules: slug });
const { fields } = await ask(`/rules/${slug}/`, token);
let sent = 0, cuts = 0, states = 0;

const client = new GameClient({
  address: async () => `ws://127.0.0.1:${line.address().port}/ws/games/${id}/?ticket=${(await ask("/tickets/", token, {})).ticket}`,
});
const game = new Game(fields, client, () => {});
const done = new Promise((resolve) => {
  let turn = Promise.resolve(); // what arrives is handled in turn, even where a state waits for its record
  const inTurn = (type, handle) => client.on(type, (event) => (turn = turn.then(() => handle(event)).then(next)));
  inTurn("state", async (state) => {
    states += 1;
    const record = game.needsRecord(state) ? readRecord((await ask(`/games/${id}/record/`, token)).record) : null;
    game.adopt(state, record);
  });
  inTurn("played", (played) => game.confirm(played));
  inTurn("refused", ({ code, message, command }) => {
    if (code !== "stale_version") throw new Error(`${code}: ${message} ${JSON.stringify(command)}`);
    game.rollBack();
  });
  client.on("finished", resolve);

  function next() {
    if (client.open || !game.canAct) return;
    if (sent >= most) {
      client.send({ type: "resign" });
      return;
    }
    const { board, faces, past } = game.shown;
    const legal = legalMoves(fields, board, faces).map(({ text }) => text);
    const action = sent % 5 === 4 && past.length ? "U" : (legal.find((text) => text.length > 1) ?? legal[0]);
    if (!action) return client.send({ type: "resign" });
    sent += 1;
    game.act(action);
    if (sent % 7 === 3) {
      cuts += 1;
      setTimeout(cut, sent % 3);
    }
  }
});
client.connect();
await done;
client.disconnect();
const record = readRecord((await ask(`/games/${id}/record/`, token)).record);
const last = replay(fields, record).at(-1);
const [kept, shown] = [last, game.confirmed].map(({ board }) => writePosition(fields, board, game.confirmed.faces));
console.log(JSON.stringify({ sent, cuts, states, actions: record.entries.length, kept, shown }));
process.exit(0);
