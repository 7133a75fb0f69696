// The scripts accept what is right in docs/vectors/ and refuse what is wrong, as the one-file verifier does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gradeOf } from "games/grade.js";
import { readRecord } from "games/play/notation.js";
import { rootOf } from "games/proof.js";
import { areRightRounds, commitmentsIn, isInDay, isInLog, isOfRecord, readKeys, readProof, roundsIn, signersOf, wrongAt } from "games/tlog.js";
import { RULE_SETS, commitmentOf, deckOf, isRoundOf, leftOut, seedOfDay, withOwnSuits } from "games/verify.js";
import { DECIDABLE, firstFitting } from "games/winnable.js";
import { rules } from "./data.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(`../../../../docs/vectors/${name}.json`, import.meta.url), "ascii"));

const CHECKS = {
  leaves: ({ leaves, over }) => wrongAt(leaves) === 0 && !leftOut(commitmentsIn(leaves), over).length,
  deals: async (daily) => {
    const { rules: slug, commitment, reveal } = daily;
    if ((await commitmentOf(daily, reveal.seed)) !== commitment || (await deckOf(daily, reveal)) !== reveal.deck) return false;
    if (reveal.grade && (await gradeOf(slug, rules[slug], reveal.deck)) !== reveal.grade) return false;
    return !(slug in DECIDABLE) || (await firstFitting(daily, rules[slug])) === reveal.candidate;
  },
  grades: async ({ rules: slug, deck, grade }) => (await gradeOf(slug, rules[slug], deck)) === grade,
  log: async ({ proof: text, keys, witnesses, record: played }) => {
    const proof = readProof(text), signers = await signersOf(proof, await readKeys(keys.join("\n")));
    if (!(await isInLog(proof)) || !signers.log.length || signers.witnesses.length < witnesses) return false;
    if (proof.inner.length && !(await isInDay(proof))) return false;
    const record = played && readRecord(played);
    return !record || (await isOfRecord(rules[record.tags.Rules], record, proof));
  },
  rounds: async ({ leaves, daily }) => {
    const [committed] = commitmentsIn(leaves), { day, rules: slug, reveal } = daily;
    if (wrongAt(leaves) !== 0 || !areRightRounds(leaves, day)) return false;
    const logged = committed.awaits ? roundsIn(leaves).get(`${day}|${slug}`) : undefined;
    if ((await commitmentOf(daily, reveal.seed)) !== committed.commitment) return false;
    return (await isRoundOf(daily.beacon, committed.awaits, logged)) && (await deckOf(daily, { ...reveal, seed: await seedOfDay(reveal.seed, logged) })) === reveal.deck;
  },
  suits: ({ deal, suits, game }) => withOwnSuits(game, suits) === deal,
  tree: async (proof) => (await rootOf(proof)) === proof.root,
};

// What cannot even be read is refused.
async function isAccepted(isRight, vector) {
  try {
    return await isRight(vector);
  } catch {
    return false;
  }
}

for (const [name, isRight] of Object.entries(CHECKS)) {
  test(`what is right in ${name} is accepted, and everything else refused`, async () => {
    const { valid, refused } = read(name);
    for (const vector of valid) assert.equal(await isRight(vector), true, vector.name);
    for (const vector of refused) assert.equal(await isAccepted(isRight, vector), false, vector.name);
    assert.ok(valid.length && refused.length >= 5);
  });
}

test("the rule sets of a log are those of the server, each once", () => {
  assert.deepEqual([...RULE_SETS].sort(), Object.keys(rules).sort());
});
