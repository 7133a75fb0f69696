// Checks a closed day, and with `?game=` a result, in this browser.
import { byId, make } from "../dom.js";
import { gradeOf } from "../grade.js";
import { cardsLeft } from "../play/position.js";
import { readRecord, replay } from "../play/notation.js";
import { lineOf, rootOf, rootsBrokenAt } from "../proof.js";
import { gettext } from "../texts.js";
import { brokenAt, commitmentOf, deckOf, nameOf, withOwnSuits } from "../verify.js";
import { DECIDABLE, canBeWon } from "../winnable.js";

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

/** Return an answer, or null if there is no such thing. @param {string} address */
async function getIfThere(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  return answer.status === 404 ? null : answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status}`));
}

/** @param {string} text */
const note = (text) => byId("result").append(make("p", "notice", text));

/** Return all entries of a list that comes in pages. @param {string} address @param {string} name */
async function fetchAll(address, name) {
  const entries = [];
  for (let next = address; next; ) {
    const answer = await getJson(next);
    entries.push(...answer[name]);
    next = answer.next;
  }
  return entries;
}

/** @param {string} day */
async function checkDay(day) {
  const [{ dailies }, chain] = await Promise.all([getJson(`/api/daily/${day}/`), fetchAll("/api/daily/commitments/", "commitments")]);
  if (!dailies.length) return note(gettext("There was no daily deal on this day."));
  await check(gettext("The chain of {count} commitments is unbroken", { count: chain.length }), brokenAt(chain).then((at) => at === 0));
  for (const daily of dailies) await checkDeal(daily, chain);
  const sealed = await checkRoots(day);
  if (!sealed) note(gettext("The results of this day are sealed 24 hours after its last games have ended."));
}

/** Check the chain of the roots of all days, and return the root of one. @param {string} day */
async function checkRoots(day) {
  const roots = await fetchAll("/api/days/roots/", "roots");
  const own = roots.find((root) => root.day === day);
  if (own) await check(gettext("The chain of {count} days of results is unbroken", { count: roots.length }), rootsBrokenAt(roots).then((at) => at === 0));
  return own;
}

/** @param {any} daily @param {any[]} chain */
async function checkDeal(daily, chain) {
  const name = nameOf(daily).replaceAll("|", " ");
  const committed = chain.find((entry) => nameOf(entry) === nameOf(daily));
  const when = committed?.committed_at.replace("T", " ").replace("Z", " UTC") ?? gettext("never");
  await check(gettext("{name}: its commitment is in the chain, made {when}", { name, when }), Promise.resolve(Boolean(committed) && committed.commitment === daily.commitment));
  if (!daily.reveal) return note(gettext("{name}: the seed is revealed when the last games have ended. Come back then.", { name }));
  await check(gettext("{name}: the seed is the one that was committed to", { name }), commitmentOf(daily, daily.reveal.seed).then((found) => found === daily.commitment));
  await check(gettext("{name}: the deck follows from the seed", { name }), deckOf(daily, daily.reveal).then((found) => found === daily.reveal.deck));
  await checkChoice({ ...daily, grade: committed?.grade }, name);
}

/** Check that a deck is as hard as it is said to be, and the first of its seed that could be taken. @param {any} daily @param {string} name */
async function checkChoice(daily, name) {
  const { rules, grade: asked, reveal } = daily;
  const { fields } = await getJson(`/api/rules/${rules}/`);
  const grade = asked ?? reveal.grade;
  if (grade && fields.decks === 1) {
    const text = asked ? gettext("{name}: it is {grade}, as was committed to", { name, grade: gradeText(grade) }) : gettext("{name}: it is {grade}", { name, grade: gradeText(grade) });
    await check(text, gradeOf(rules, fields, reveal.deck).then((found) => found === grade));
  }
  if (rules in DECIDABLE) await check(gettext("{name}: no deck of the seed before it could be taken", { name }), firstOf(daily, fields).then((first) => first === reveal.candidate));
  else note(gettext("{name}: whether an earlier deck of the seed can be won takes a search that this page does not do.", { name }));
}

/** @param {string} grade */
function gradeText(grade) {
  return { easy: gettext("easy"), medium: gettext("medium"), hard: gettext("hard") }[grade] ?? grade;
}

/** Return the number of the first deck of a seed that can be won and has the grade asked for. @param {any} daily @param {import("../play/rules.js").Rules} fields */
async function firstOf(daily, fields) {
  for (let candidate = 0; candidate <= daily.reveal.candidate; candidate += 1) {
    const deck = await deckOf(daily, { ...daily.reveal, candidate });
    const isFit = canBeWon(deck, DECIDABLE[daily.rules] ?? false);
    if (isFit && (!daily.grade || (await gradeOf(daily.rules, fields, deck)) === daily.grade)) return candidate;
  }
  return -1;
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
  await checkSeal(told, record.entries);
}

/** Check that a result is among those that its day was sealed with. @param {any} game @param {{ action: string, at: number }[]} log */
async function checkSeal(game, log) {
  const proof = await getIfThere(`/api/games/${game.id}/proof/`);
  if (!proof) return note(gettext("It is not sealed: its day is not final yet, or the result was not verified."));
  const root = await checkRoots(game.day);
  const line = lineOf({ ...game, result: game.status }, log);
  await check(gettext("Its line is the one that was sealed"), line.then((found) => found === proof.leaf && game.day === proof.day));
  await check(gettext("It is one of {count} results that lead to the root of its day", { count: proof.count }), rootOf(proof).then((found) => found !== null && found === root?.root && proof.count === root?.count));
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
    note(isGood ? gettext("Everything that could be checked is correct.") : gettext("Something is wrong. Please tell the operator."));
  } catch {
    note(gettext("This could not be fetched: the day does not exist, the game is not public yet, or the server is unavailable."));
  }
}

run();
