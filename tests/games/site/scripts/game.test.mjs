import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Game } from "games/play/game.js";
import { readRecord } from "games/play/notation.js";
import { cardsLeft } from "games/play/position.js";
import { rules } from "./data.mjs";

const standard = rules.standard;
const DEAL = "5d/Ts8s/3hJc3s/Ac5s4hKh/5c3cThQc9d/Qd7c8d6h4c6d/Js8h8cKdKs2sKc |???????????????????????????????????????????????? *";
const LEGAL = ["2sJs", "D", "Kc", "Kd", "Ks"];

let client, game, changes;
const state = (version = 0, more = {}) => ({ type: "state", game: "g", version, rules: "standard", position: DEAL, legal: LEGAL, moves: version, elapsed_ms: 0, outcome: null, result: "*", open: client.open, ...more });
const played = (version, move, more = {}) => ({ type: "played", id: 1, version, move, revealed: [], legal: LEGAL, moves: version, at_ms: 1, outcome: null, isNews: true, isAnswer: true, ...more });
const left = () => cardsLeft(standard, game.shown.board);

/** The server takes the command that was not answered. */
function answer(more = {}) {
  const { move, type } = client.open;
  client.open = null;
  client.version += 1;
  game.confirm(played(client.version, move ?? { undo: "U", redo: "Y" }[type], more));
}

beforeEach(() => {
  client = { open: null, version: 0, sent: [], resyncs: 0, send(command) { this.open = { ...command, version: this.version }; this.sent.push(command); }, resync() { this.resyncs += 1; } };
  changes = [];
  game = new Game(standard, client, (change) => changes.push(change.kind));
  game.adopt(state(), null);
});

test("a move is shown before the server has taken it", () => {
  assert.ok(game.act("Kd"));
  assert.equal(left(), 27);
  assert.equal(game.confirmed.past.length, 0);
  answer();
  assert.equal(left(), 27);
  assert.equal(game.confirmed.past.length, 1);
});

test("moves whose result is known wait for the one under way, and follow in order", () => {
  for (const move of ["Kd", "Ks", "2sJs"]) assert.ok(game.act(move));
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd"]);
  answer();
  answer();
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd", "Ks", "2sJs"]);
});

test("a game that has been given up takes no more moves, unless the server refuses the end", () => {
  game.giveUp();
  assert.equal(client.open.type, "resign");
  assert.ok(!game.act("Kd"), "the line may be away, and what is behind the end would never be sent");
  client.open = null;
  game.rollBack();
  assert.ok(game.act("Kd"));
});

test("no more than eight wait", () => {
  for (let count = 0; count < 4; count += 1) {
    assert.ok(game.act("Kd"));
    assert.ok(game.act("U"));
  }
  assert.ok(!game.act("Kd"));
});

test("what is chosen behind a card that has not been seen yet waits in order", () => {
  for (const move of ["D", "D", "Kd", "U"]) assert.ok(game.act(move));
  assert.ok(game.awaitsFaces);
  assert.ok(!game.act("5hKs"), "a card without a face cannot leave");
  for (const revealed of [["5h"], ["8s"], [], []]) answer({ revealed, legal: [...LEGAL, "5h8s"] });
  assert.deepEqual(client.sent.map(({ move, type }) => move ?? type), ["D", "D", "Kd", "undo"]);
  assert.ok(!game.awaitsFaces);
  assert.deepEqual(game.shown.faces.slice(28, 30), ["5h", "8s"]);
});

test("a card once seen stays known through undo", () => {
  game.act("D");
  answer({ revealed: ["5h"], legal: ["D"] });
  game.act("U");
  answer();
  assert.ok(game.act("D"));
  assert.ok(game.act("U"), "the card is known, so the queue stays open");
});

test("a refused move is taken back, and all that waited behind it", () => {
  game.act("Kd");
  game.act("Ks");
  client.open = null;
  game.rollBack();
  assert.equal(left(), 28);
  assert.deepEqual(game.waiting, []);
  assert.equal(changes.at(-1), "rolled-back");
});

test("who gives up while moves wait gives up after them, once", () => {
  for (const move of ["Kd", "Ks"]) game.act(move);
  game.giveUp();
  answer();
  assert.deepEqual(client.sent.map(({ move, type }) => move ?? type), ["Kd", "Ks"]);
  answer();
  assert.equal(client.open.type, "resign");
  client.open = null;
  game.rollBack();
  assert.equal(client.sent.length, 3, "a refusal to give up is not answered by giving up again");
});

test("who gives up while a move waits for its answer gives up also if it is refused, or never answered", () => {
  for (const end of [() => game.rollBack(), () => game.adopt(state(), null)]) {
    game.act("Kd");
    game.giveUp();
    client.open = null;
    end();
    assert.equal(client.sent.at(-1).type, "resign");
    client.open = null;
    game.adopt(state(), null);
  }
  game.adopt(state(1, { result: "stuck" }), null);
  game.giveUp();
  assert.equal(client.sent.length, 4, "nobody gives up what is over");
});

test("the queue is dropped if the server no longer allows it", () => {
  game.act("Kd");
  game.act("Ks");
  answer({ legal: ["D"] });
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd"]);
  assert.equal(left(), 27);
});

test("a move under way that a state already contains is not shown twice", () => {
  const record = readRecord(`[Rules "standard"]\n[Deck "${DEAL.split(" ")[0].replaceAll("/", "")}${"??".repeat(24)}"]\n\nKd@5 *`);
  game.act("Kd");
  game.act("Ks");
  client.version = 1;
  const after = DEAL.replace("Kd", "--");
  game.adopt(state(1, { position: after }), record);
  assert.equal(left(), 26, "the king that waits is shown, the other one once");
  client.open = null;
  game.confirm({ ...played(1, "Kd"), isNews: false });
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd", "Ks"]);
});

test("the queue continues although the answer came before the record", () => {
  const record = readRecord(`[Rules "standard"]\n[Deck "${DEAL.split(" ")[0].replaceAll("/", "")}${"??".repeat(24)}"]\n\nKd@5 *`);
  game.act("Kd");
  game.act("Ks");
  client.version = 1;
  const told = state(1, { position: DEAL.replace("Kd", "--") });
  client.open = null;
  game.adopt(told, record);
  game.confirm({ ...played(1, "Kd"), isNews: false });
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd", "Ks"]);
});

test("nothing is sent again while an answer that has come waits to be taken in", () => {
  game.act("Kd");
  client.version = 1;
  client.open = null;
  game.act("Ks");
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd"]);
  game.confirm(played(1, "Kd"));
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd", "Ks"]);
});

test("an undo of what this page has not seen asks for the state, unless the position is known", () => {
  const later = DEAL.replace("Kd", "--");
  const joined = new Game(standard, client, () => {});
  joined.adopt(state(3, { position: later }), null);
  client.version = 4;
  joined.confirm(played(4, "U", { isAnswer: false }));
  assert.equal(client.resyncs, 1);
  joined.confirm(played(4, "U", { isAnswer: false, position: DEAL }));
  assert.equal(cardsLeft(standard, joined.shown.board), 28);
});

test("what another device played is shown, and what waited here is dropped", () => {
  game.act("Kd");
  game.confirm(played(1, "Ks", { isAnswer: false }));
  assert.equal(left(), 27);
  assert.deepEqual(game.waiting, []);
});

test("there is nothing to undo before the first action", () => {
  assert.ok(!game.canUndo);
  game.act("Kd");
  assert.ok(game.canUndo);
});

test("a state that contains the action under way takes that one alone out of the queue", () => {
  game.act("Kc");
  answer();
  game.act("Kd");
  game.act("Ks");
  game.adopt(state(2, { position: DEAL.replace("Kc", "--").replace("Kd", "--") }), null);
  assert.deepEqual(game.waiting, ["Ks"]);
  assert.equal(left(), 25);
});

test("an action that was queued behind a hint is sent once it was given", () => {
  for (const action of ["H", "Kd"]) assert.ok(game.act(action));
  changes = [];
  client.open = null;
  game.hinted();
  assert.deepEqual([client.sent.at(-1).move, changes], ["Kd", ["moved"]]);
});

test("waiting actions are given up when the game has ended", () => {
  game.act("Kd");
  game.act("Ks");
  game.adopt(state(1, { result: "expired" }), null);
  assert.deepEqual(game.waiting, []);
});

test("an action can be sent after another was rolled back", () => {
  game.act("Kd");
  client.open = null;
  game.rollBack();
  assert.ok(game.act("Ks"));
  assert.deepEqual(client.sent.map(({ move }) => move), ["Kd", "Ks"]);
});

test("a page hears of moves and of undos, when they are shown and when the server has taken them", () => {
  changes = [];
  game.act("Kd");
  answer();
  game.act("U");
  answer();
  assert.deepEqual(changes, ["moved", "moved", "undone", "undone"]);
});

test("the first state of a game is understood without its record", () => assert.ok(!game.needsRecord(state(0))));

/** @returns the record of these actions on the deal */
const recordOf = (...actions) => readRecord(`[Rules "standard"]\n[Deck "${DEAL.split(" ")[0].replaceAll("/", "")}${"??".repeat(24)}"]\n\n${actions.map((action) => `${action}@5`).join(" ")} *`);
const without = (...faces) => faces.reduce((deal, face) => deal.replace(face, "--"), DEAL);

test("before its first state a game has a table without faces, and nobody can act", () => {
  const fresh = new Game(standard, client, () => {});
  assert.deepEqual([fresh.canAct, fresh.result, fresh.outcome, fresh.takeDropped()], [false, "*", null, false]);
  assert.equal(cardsLeft(standard, fresh.shown.board), 28);
  assert.deepEqual([fresh.needsRecord(state(0)), fresh.needsRecord(state(1))], [false, true]);
});

test("who watches cannot act, and nobody can once the game is over", () => {
  game.isPlayer = false;
  assert.ok(!game.act("Kd"));
  game.isPlayer = true;
  game.adopt(state(0, { result: "resigned" }), null);
  assert.ok(!game.act("Kd"));
});

test("what was undone can be redone in order, and nothing else", () => {
  game.act("Kd");
  assert.ok(!game.canRedo);
  for (const action of ["Ks", "U", "U"]) game.act(action);
  assert.ok(game.canRedo);
  const leftAfter = ["Y", "Y"].map((action) => game.act(action) && left());
  assert.deepEqual(leftAfter, [27, 26]);
});

test("a record ends with its result, or goes on", () => {
  assert.deepEqual(["resigned", "*", ""].map((end) => readRecord(`[Game "g"]\n\nD@5 D@9 ${end}`).result), ["resigned", "*", "*"]);
});

test("a state with another board needs the record, and the table is replaced", () => {
  assert.ok(!game.needsRecord(state(1)));
  game.adopt(state(1), null);
  const other = state(1, { position: without("Kd") });
  assert.ok(game.needsRecord(other));
  game.adopt(other, recordOf("Kd"));
  assert.ok(game.canUndo, "the record knows the move");
  assert.deepEqual(changes, ["dealt", "moved", "replaced"]);
});

test("what was never answered is dropped with the next state, which is said once, and then an action can be sent", () => {
  assert.ok(!game.takeDropped());
  game.act("Kd");
  client.open = null;
  game.adopt(state(), null);
  assert.deepEqual([game.waiting, game.takeDropped(), game.takeDropped()], [[], true, false]);
  game.act("Ks");
  assert.equal(client.sent.at(-1).move, "Ks");
});

test("an action under way stays in the queue until a state contains it, and leaves it once", () => {
  game.act("Kd");
  game.act("Ks");
  game.adopt(state(), null);
  assert.deepEqual(game.waiting, ["Kd", "Ks"]);
  for (let time = 0; time < 2; time += 1) game.adopt(state(1, { position: without("Kd") }), null);
  assert.deepEqual(game.waiting, ["Ks"]);
});

for (const [took, waiting] of [["Kd", ["Ks"]], ["2sJs", []]]) {
  test(`the queue is ${waiting.length ? "kept" : "dropped"} if the record says that ${took} was played`, () => {
    for (const move of ["Kc", "Kd", "Ks"]) game.act(move);
    answer();
    game.adopt(state(2, { position: without("Kc", ...took.match(/../g)) }), recordOf("Kc", took));
    assert.deepEqual(game.waiting, waiting);
  });
}

test("the queue behind a move that was stored is dropped if the game went on elsewhere after it", () => {
  for (const move of ["Kd", "D"]) game.act(move);
  game.adopt(state(2, { position: without("Kd", "Ks") }), recordOf("Kd", "Ks"));
  assert.deepEqual([game.waiting, left(), game.takeDropped()], [[], 26, true]);
});

for (const [waiting, entries, sent, isDropped] of [
  [["Kd", "Ks"], [], ["Kd"], false],
  [["Kd", "Ks"], ["Kd"], ["Ks"], false],
  [["Kd"], ["Kd", "Ks"], [], false],
  [["Ks", "Kc"], ["Kd"], [], true],
]) {
  test(`of ${waiting}, which waited when the page was left, ${sent.length ? sent : "nothing"} is sent once ${entries.length ? entries : "nothing"} was taken`, () => {
    game = new Game(standard, client, () => {});
    const now = state(entries.length, { position: without(...entries) });
    game.adopt(now, recordOf(...entries));
    game.goOn({ version: 0, waiting }, now.version, recordOf(...entries));
    assert.deepEqual(client.sent.map(({ move }) => move), sent);
    assert.equal(game.takeDropped(), isDropped);
  });
}

test("of the queue only as much stays as a new state allows", () => {
  game.act("Kd");
  game.act("Ks");
  game.adopt(state(0, { position: without("Ks") }), null);
  assert.deepEqual([game.waiting, left(), game.takeDropped()], [["Kd"], 26, true]);
});

test("moves and outcome are what the server says", () => {
  game.act("Kd");
  answer({ moves: 7, outcome: "stuck" });
  assert.deepEqual([game.shown.moves, game.outcome], [7, "stuck"]);
});
