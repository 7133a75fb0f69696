import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS, gradeOf } from "games/grade.js";
import { DECIDABLE, canBeWon } from "games/winnable.js";
import { decided, grades, limits, rules } from "./data.mjs";

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
