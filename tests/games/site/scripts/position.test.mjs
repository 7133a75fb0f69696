import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, beginning, readPosition, readRecord, replay, writePosition } from "games/play/notation.js";
import { after, cardsLeft, dealt, isFaceUp, legalMoves, unknownFaces } from "games/play/position.js";
import { rankPairs } from "games/play/rules.js";
import { games, perft, rules } from "./data.mjs";

function count(fields, board, faces, length) {
  const moves = legalMoves(fields, board, faces);
  if (length === 1) return moves.length;
  return moves.reduce((sum, move) => sum + count(fields, after(fields, board, move), faces, length - 1), 0);
}

test("each pair of ranks that leave together is listed once", () => {
  assert.deepEqual(rankPairs(rules.standard), [[1, 12], [2, 11], [3, 10], [4, 9], [5, 8], [6, 7], [13]]);
  assert.deepEqual(rankPairs(rules["eleven-triangle"]), [[1, 10], [2, 9], [3, 8], [4, 7], [5, 6], [11, 11], [12, 12], [13, 13]]);
});

test("the top of a pyramid leaves with the card that alone covers it, where the rules say so", () => {
  const fields = { ...rules.standard, overlap: true };
  const board = { ...dealt(fields), tableau: dealt(fields).tableau.map((card) => (card < 2 ? card : -1)) };
  const faces = unknownFaces(fields).with(0, "Qc").with(1, "As");
  assert.deepEqual(legalMoves(fields, board, faces).map(({ text }) => text), ["AsQc", "D"]);
});

test("a parked card of the stock does not count as one of the tableau", () => {
  const fields = { ...rules.standard, cells: 2 }, cells = [27, 28];
  const tableau = dealt(fields).tableau.map((card) => (card === 27 ? -1 : card));
  assert.equal(cardsLeft(fields, { ...dealt(fields), tableau, cells }), 28);
});

test("a card lies face up unless it is in the stock, or covered where cards are dealt face down", () => {
  const faceUp = (more) => [0, 27, 28, 29].map((card) => isFaceUp({ ...rules.standard, ...more }, dealt(rules.standard), card));
  assert.deepEqual(faceUp({}), [true, true, false, false]);
  assert.deepEqual(faceUp({ stock_open: true }), [true, true, true, false]);
  assert.deepEqual(faceUp({ stock_seen: true }), [true, true, true, true]);
  assert.deepEqual(faceUp({ face_down: true }), [false, true, false, false]);
});

test("the top of a pyramid keeps its number in a cell", () => {
  const fields = { ...rules.standard, cells: 2 }, faces = unknownFaces(fields).with(0, "Qc");
  const text = writePosition(fields, { ...dealt(fields), tableau: dealt(fields).tableau.fill(-1), cells: [0] }, faces);
  assert.deepEqual(readPosition(fields, text, faces).board.cells, [0]);
});

for (const { id, slug, pos, counts } of perft) {
  test(`as many lines of play start at ${id} as the rules allow`, () => {
    const { board, faces } = readPosition(rules[slug], pos);
    assert.equal(writePosition(rules[slug], board, faces), pos);
    for (const [length, expected] of counts) assert.equal(count(rules[slug], board, faces, length), expected);
  });
}

for (const { slug, seed, first, steps, record } of games) {
  const fields = rules[slug];

  test(`a game of ${slug} (${seed}) looks and allows the same as on the server`, () => {
    const seen = readPosition(fields, first);
    let step = { ...beginning(fields, unknownFaces(fields)), faces: seen.faces };
    assert.deepEqual(seen.board, step.board);
    for (const { action, revealed, position, legal, moves } of steps) {
      step = advance(fields, step, action, revealed);
      assert.ok(step, `${action} can be played`);
      assert.equal(writePosition(fields, step.board, step.faces), position);
      assert.equal(step.moves, moves);
      assert.deepEqual(legalMoves(fields, step.board, step.faces).map(({ text }) => text), legal);
    }
  });

  test(`the record of a game of ${slug} (${seed}) leads to every position`, () => {
    const replayed = replay(fields, readRecord(record));
    assert.equal(replayed.length, steps.length + 1);
    const last = replayed.at(-1);
    assert.equal(writePosition(fields, last.board, last.faces), steps.at(-1).position);
  });

  test(`cards keep their numbers when a position of ${slug} (${seed}) is read into what is known`, () => {
    const replayed = replay(fields, readRecord(record));
    const known = replayed.at(-1).faces;
    for (const [index, { position }] of steps.entries()) {
      const { board } = readPosition(fields, position, known);
      const { board: expected } = replayed[index + 1];
      assert.deepEqual([board.tableau, board.wastes, board.reserve, board.recycles], [expected.tableau, expected.wastes, expected.reserve, expected.recycles]);
      assert.deepEqual(new Set(board.cells), new Set(expected.cells));
    }
  });
}
