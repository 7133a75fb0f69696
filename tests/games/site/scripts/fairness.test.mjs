import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS, gradeOf } from "games/grade.js";
import { lineOf, rootOf, rootsBrokenAt } from "games/proof.js";
import { sha256 } from "games/verify.js";
import { DECIDABLE, canBeWon } from "games/winnable.js";
import { decided, grades, limits, proofs, rules } from "./data.mjs";

test("grades have the limits of the server", () => assert.deepEqual(LIMITS, limits));

for (const { slug, deck, grade } of grades) {
  test(`a deal of ${slug} is as hard as the server says: ${deck.slice(0, 8)}`, async () => {
    assert.equal(await gradeOf(slug, rules[slug], deck), grade);
  });
}

test("deals can be won that the server proved winnable, and no others", () => {
  assert.deepEqual(new Set(decided.map(({ winnable }) => winnable)), new Set([true, false]));
  for (const { slug, deck, winnable } of decided) assert.equal(canBeWon(deck, DECIDABLE[slug]), winnable, `${slug} ${deck}`);
});

test("every result leads to the root of its day, and no other text, place or path does", async () => {
  for (const proof of proofs) {
    assert.equal(await rootOf(proof), proof.root);
    const wrong = [{ leaf: `${proof.leaf}0` }, { path: [...proof.path, proof.root] }, ...(proof.path.length ? [{ path: proof.path.slice(1) }] : [])];
    for (const change of wrong) assert.notEqual(await rootOf({ ...proof, ...change }), proof.root);
    if (proof.count > 1) assert.notEqual(await rootOf({ ...proof, index: (proof.index + 1) % proof.count }), proof.root);
  }
});

test("a chain of roots is broken where one was exchanged", async () => {
  const roots = [];
  for (let number = 1, last = "0".repeat(64); number < 4; number += 1) {
    const [day, root] = [`2026-03-0${number}`, await sha256(String(number))];
    last = await sha256(`pyramid/results/1|${last}|${number}|${day}|5|${root}`);
    roots.push({ number, day, count: 5, root, link: last });
  }
  assert.equal(await rootsBrokenAt(roots), 0);
  assert.equal(await rootsBrokenAt(roots.map((one) => (one.number === 2 ? { ...one, count: 4 } : one))), 2);
  assert.equal(await rootsBrokenAt(roots.slice(1)), 1);
});

test("the line of a result names the hash of its log", async () => {
  const game = { day: "2026-03-01", rules: "standard", division: "open", id: "7f3k", result: "won", cards_left: 0, moves: 2, elapsed_ms: 2000 };
  const log = await sha256("Kd@1000 4d9c@2000");
  const line = await lineOf(game, [{ action: "Kd", at: 1000 }, { action: "4d9c", at: 2000 }]);
  assert.equal(line, `pyramid/result/1|2026-03-01|standard|open|7f3k|won|0|2|2000|${log}`);
});
