import assert from "node:assert/strict";
import { test } from "node:test";
import { Dealer, shuffled } from "games/offline/dealer.js";
import { Game } from "games/play/game.js";
import { cardsLeft, legalMoves } from "games/play/position.js";
import { rules as RULES } from "./data.mjs";

function played(rules, deck) {
  const dealer = new Dealer(rules, (answer) => game.confirm(answer), deck);
  const game = new Game(rules, dealer, () => {});
  game.adopt(dealer.state(), null);
  return { dealer, game };
}

test("every deck has each card as often as there are decks, in another order", () => {
  for (const decks of [1, 2]) {
    const [one, other] = [shuffled(decks), shuffled(decks)];
    assert.equal(one.length, 52 * decks);
    assert.equal(new Set(one).size, 52);
    assert.deepEqual([...one].sort(), [...other].sort());
    assert.notDeepEqual(one, other);
  }
});

test("games of all rules are played to their end, and no card of the stock is known before it is drawn", () => {
  for (const [slug, rules] of Object.entries(RULES)) {
    const { dealer, game } = played(rules);
    let isFirstPass = true;
    for (let turn = 0; turn < 120 && game.outcome === null; turn += 1) {
      const { board, faces, moves: before } = game.shown;
      assert.ok(faces.every((face, card) => face === null || face === dealer.deck[card]), slug);
      if (isFirstPass && !rules.stock_seen) assert.ok(board.stock.slice(1).every((card) => faces[card] === null), slug);
      const moves = legalMoves(rules, board, faces);
      const { text } = moves.find(({ cards, text }) => cards.length && !text.startsWith("P")) ?? moves[turn % moves.length];
      isFirstPass &&= text !== "R";
      assert.ok(game.act(text), slug);
      assert.equal(game.shown.moves, before + 1, slug);
      assert.equal(game.awaitsFaces, false, slug);
      assert.deepEqual(game.waiting, [], slug);
    }
    assert.equal(game.outcome === "won", cardsLeft(rules, game.shown.board) === 0, slug);
  }
});

test("a stock that may not be seen stays unknown until it is drawn", () => {
  const rules = RULES.standard;
  const { dealer, game } = played(rules);
  assert.ok(game.shown.board.stock.every((card) => game.shown.faces[card] === null));
  const [next] = game.shown.board.stock;
  game.act("D");
  assert.equal(game.shown.faces[next], dealer.deck[next]);
  game.act("U");
  assert.equal(game.shown.board.stock[0], next);
});
