// The seeds and the decks of daily deals, by servers that tell the truth and servers that lie.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CARDS, commitmentOf, deckOf, nameOf, sha256, withOwnSuits } from "games/verify.js";
import { dailies, suits } from "./data.mjs";

const oneDeck = dailies[1], twoDecks = dailies[2], graded = dailies[3];

/** Another text of the same length: its digit or letter at a place is another. */
const altered = (text, at) => text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);

for (const [index, daily] of dailies.entries()) {
  const { reveal, commitment } = daily;
  const other = dailies[(index + 1) % dailies.length];

  test(`the seed of ${nameOf(daily)} is the one that was committed to, and no other is`, async () => {
    assert.equal(await commitmentOf(daily, reveal.seed), commitment);
    for (const wrong of [altered(reveal.seed, 63), other.reveal.seed, ""]) assert.notEqual(await commitmentOf(daily, wrong), commitment);
    for (const change of [{ day: "2026-02-01" }, { rules: "cell" }, { division: "main" }]) {
      assert.notEqual(await commitmentOf({ ...daily, ...change }, reveal.seed), commitment);
    }
  });

  test(`the deck of ${nameOf(daily)} follows from its seed, and from no other seed, number or name`, async () => {
    assert.equal(await deckOf(daily, reveal), reveal.deck);
    const wrong = [{ seed: other.reveal.seed }, { seed: altered(reveal.seed, 63) }, { candidate: reveal.candidate + 1 }];
    for (const change of wrong) assert.notEqual(await deckOf(daily, { ...reveal, ...change }), reveal.deck);
    for (const change of [{ day: "2026-02-01" }, { rules: "cell" }, { division: "main" }]) assert.notEqual(await deckOf({ ...daily, ...change }, reveal), reveal.deck);
  });

  test(`no other deck of ${nameOf(daily)} is what the seed leads to`, async () => {
    const cards = reveal.deck.match(/../g);
    const lies = {
      "two cards exchanged": [cards[1], cards[0], ...cards.slice(2)],
      "another card": [cards[1], ...cards.slice(1)],
      "a card too few": cards.slice(1),
      "a card too many": [...cards, cards[0]],
      "half a deck": cards.slice(0, cards.length / 2),
      "no cards": [],
      "a second deck": cards.length === CARDS.length ? [...cards, ...cards] : cards.slice(0, CARDS.length),
      "cards of the other deck": cards.map((card) => card[0] + (card[1] === card[1].toLowerCase() ? card[1].toUpperCase() : card[1].toLowerCase())),
    };
    for (const [lie, order] of Object.entries(lies)) {
      const deck = order.join("");
      assert.notEqual(await deckOf(daily, { ...reveal, deck }), deck, lie);
    }
  });
}

test("decks are made of one deck or of two", () => {
  assert.deepEqual([oneDeck, twoDecks].map(({ reveal }) => new Set(reveal.deck.match(/../g)).size), [52, 104]);
});

test("a deck has its own suits again, in one deck and in two", () => {
  for (const { own, suits: told, deck } of suits) {
    assert.notEqual(deck, own);
    assert.equal(withOwnSuits(deck, told), own);
    assert.equal(withOwnSuits(own, ""), own);
  }
  assert.deepEqual(new Set(suits.map(({ own }) => own.length)), new Set([104, 208]));
});

test("a deck does not get its own suits from wrong ones, or from suits that lack one", () => {
  const [first, second] = [suits[0].suits, suits[1].suits];
  for (const { own, suits: told, deck } of suits) {
    const ace = told.slice(0, 4);
    const wrong = [told === first ? second : first, [...ace].reverse().join("") + told.slice(4), "cccc" + told.slice(4), told.slice(4), told.slice(0, 48), "?".repeat(52), ""];
    for (const lie of wrong) assert.notEqual(withOwnSuits(deck, lie), own, lie);
  }
});

test("suits lead no other deck to the one of the day", () => {
  for (const { own, suits: told, deck } of suits) {
    const cards = deck.match(/../g);
    for (const lie of [[cards[1], cards[0], ...cards.slice(2)], cards.slice(1), [cards[1], ...cards.slice(1)]]) {
      assert.notEqual(withOwnSuits(lie.join(""), told), own);
    }
  }
});
