import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS, gradeFor, winsOf } from "games/grade.js";
import { DECIDABLE, canBeWon } from "games/winnable.js";
import { decided, limits, rules, wins } from "./data.mjs";

test("grades have the limits of the server", () => assert.deepEqual(LIMITS, limits));

test("a deal is hard below the careful player's limit, and easy from the careless player's", () => {
  const grades = [[0, 11], [24, 10], [17, 11], [16, 11], [16, 24]].map(([careless, careful]) => gradeFor("cell", { careless, careful }));
  assert.deepEqual(grades, ["medium", "hard", "easy", "medium", "medium"]);
  assert.equal(gradeFor("triangle", { careless: 7, careful: 4 }), "easy");
});

for (const { slug, deck, careless, careful } of wins) {
  test(`simple players win a deal of ${slug} as often as on the server: ${deck.slice(0, 8)}`, async () => {
    assert.deepEqual(await winsOf(slug, rules[slug], deck), { careless, careful });
  });
}

test("deals can be won that the server proved winnable, and no others", () => {
  assert.deepEqual(new Set(decided.map(({ winnable }) => winnable)), new Set([true, false]));
  for (const { slug, deck, winnable } of decided) assert.equal(canBeWon(deck, DECIDABLE[slug]), winnable, `${slug} ${deck}`);
});
