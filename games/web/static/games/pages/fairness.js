// Checks a closed day, and with `?game=` a result, in this browser.
import { byId, make } from "../dom.js";
import { cardsLeft } from "../play/position.js";
import { readRecord, replay } from "../play/notation.js";
import { gettext } from "../texts.js";
import { brokenAt, commitmentOf, deckOf, nameOf, withOwnSuits } from "../verify.js";

const asked = new URLSearchParams(location.search);
const steps = make("ol", "checks");

/** @param {string} text @param {Promise<boolean>} holds */
async function check(text, holds) {
  const step = make("li", "", text);
  steps.append(step);
  const isGood = await holds.catch(() => false);
  step.className = isGood ? "good" : "bad";
  step.append(make("span", "unseen", isGood ? gettext(": holds") : gettext(": does not hold")));
  return isGood;
}

/** @param {string} address */
async function getJson(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

/** @param {string} text */
const note = (text) => byId("result").append(make("p", "notice", text));

async function fetchChain() {
  const chain = [];
  for (let next = "/api/daily/commitments/"; next; ) {
    const answer = await getJson(next);
    chain.push(...answer.commitments);
    next = answer.next;
  }
  return chain;
}

/** @param {string} day */
async function checkDay(day) {
  const [{ dailies }, chain] = await Promise.all([getJson(`/api/daily/${day}/`), fetchChain()]);
  if (!dailies.length) return note(gettext("There was no daily deal on this day."));
  await check(gettext("The chain of {count} commitments is unbroken", { count: chain.length }), brokenAt(chain).then((at) => at === 0));
  for (const daily of dailies) await checkDeal(daily, chain);
}

/** @param {any} daily @param {any[]} chain */
async function checkDeal(daily, chain) {
  const name = nameOf(daily).replaceAll("|", " ");
  const committed = chain.find((entry) => nameOf(entry) === nameOf(daily));
  await check(gettext("{name}: its commitment is in the chain", { name }), Promise.resolve(committed?.commitment === daily.commitment));
  if (!daily.reveal) return note(gettext("{name}: the seed is revealed when the last games have ended. Come back then.", { name }));
  await check(gettext("{name}: the seed is the one that was committed to", { name }), commitmentOf(daily, daily.reveal.seed).then((found) => found === daily.commitment));
  await check(gettext("{name}: the deck follows from the seed", { name }), deckOf(daily, daily.reveal).then((found) => found === daily.reveal.deck));
}

/** @param {string} id */
async function checkResult(id) {
  const [told, { record: text }] = await Promise.all([getJson(`/api/games/${id}/`), getJson(`/api/games/${id}/record/`)]);
  const record = readRecord(text);
  const { fields } = await getJson(`/api/rules/${record.tags.Rules}/`);
  const replayed = Promise.resolve().then(() => replay(fields, record));
  await check(gettext("Every move of the game is legal"), replayed.then(() => true));
  const last = (await replayed).at(-1);
  const actions = record.entries.filter(({ action }) => action !== "H");
  await check(gettext("It took {moves} moves", { moves: told.moves }), Promise.resolve(actions.length === told.moves));
  await check(gettext("{left} cards were left", { left: told.cards_left }), Promise.resolve(Boolean(last) && cardsLeft(fields, /** @type {any} */ (last).board) === told.cards_left));
  await check(gettext("It took {time} ms", { time: told.elapsed_ms }), Promise.resolve((record.entries.at(-1)?.at ?? 0) === told.elapsed_ms));
  if (!told.day) return;
  const { dailies } = await getJson(`/api/daily/${told.day}/`);
  const deck = withOwnSuits(record.tags.Deck ?? "", record.tags.Suits ?? "");
  await check(gettext("It was played on the deal of its day"), Promise.resolve(dailies.some((/** @type {any} */ daily) => daily.reveal?.deck === deck)));
}

async function run() {
  const [day, game] = [asked.get("day"), asked.get("game")];
  if (!day && !game) return;
  if (!globalThis.crypto?.subtle) return note(gettext("Browsers compute hashes only over HTTPS. The command below does the same."));
  byId("result").replaceChildren(steps);
  try {
    if (day) await checkDay(day);
    if (game) await checkResult(game);
    const isGood = !steps.querySelector(".bad");
    note(isGood ? gettext("All that could be checked holds.") : gettext("Something does not hold. Please tell the operator."));
  } catch {
    note(gettext("This could not be fetched: the day does not exist, the game is not shown yet, or the server is away."));
  }
}

run();
