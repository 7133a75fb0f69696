// Checks a closed day, and with `?game=` a result, in this browser.
import { byId, make } from "../dom.js";
import { gradeOf } from "../grade.js";
import { readRecord } from "../play/notation.js";
import { leftAfter } from "../proof.js";
import { gettext } from "../texts.js";
import { areRightRounds, bundleAt, commitmentsIn, isInDay, isInLog, isOfRecord, leavesIn, readHead, readKeys, readProof, rootOver, roundsIn, signersOf, wrongAt } from "../tlog.js";
import { FALLBACK, commitmentOf, deckOf, isRoundOf, leftOut, nameOf, seedOfDay, withOwnSuits } from "../verify.js";
import { DECIDABLE, firstFitting } from "../winnable.js";

const asked = new URLSearchParams(location.search);
const OVER_AFTER = 88_200_000; // milliseconds: a day, and half an hour for games that are being played
const SEALED_AFTER = OVER_AFTER + 172_800_000; // two days more, one of them for the server's worker
const MOST_ENTRIES = 1_000_000;
/** The last day that ended some milliseconds ago. @param {number} ago */
const lastDay = (ago) => new Date(Date.now() - ago).toISOString().slice(0, 10);
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

/** Return an answer that is not JSON, or throw. @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  return answer.ok ? answer : Promise.reject(new Error(`${answer.status}`));
}

/** @param {string} text */
const note = (text) => byId("result").append(make("p", "notice", text));

/** Check the whole log beside its signed head, and return its leaves. */
async function checkLog() {
  const [head, keys] = await Promise.all([fetched("/tlog/checkpoint"), fetched("/tlog/keys")].map(async (answer) => (await answer).text()));
  const signed = readHead(head ?? ""), /** @type {string[]} */ leaves = [];
  if (signed.size > MOST_ENTRIES) throw new Error("a log without end");
  for (let number = 0; 256 * number < signed.size; number += 1) {
    leaves.push(...leavesIn(new Uint8Array(await (await fetched(bundleAt(number, signed.size))).arrayBuffer())));
  }
  await check(gettext("The {count} leaves of the log lead to its signed head", { count: leaves.length }), isSigned(signed, keys ?? "", leaves));
  await check(gettext("Every leaf of the log is the only one about its subject"), Promise.resolve(wrongAt(leaves) === 0));
  return leaves;
}

/** @param {import("../tlog.js").LogHead} head @param {string} keys @param {string[]} leaves */
async function isSigned(head, keys, leaves) {
  const { log } = await signersOf(head, await readKeys(keys));
  return log.length > 0 && leaves.length === head.size && (await rootOver(leaves)) === head.root;
}

/** @param {string} day */
async function checkDay(day) {
  const { dailies } = await getJson(`/api/daily/${day}/`), leaves = await checkLog(), commitments = commitmentsIn(leaves);
  const isMissing = leftOut(commitments, lastDay(OVER_AFTER)).some(([from, to]) => from <= day && day <= to);
  if (!dailies.length && !isMissing) return note(gettext("There was no daily deal on this day."));
  if (isMissing) await check(gettext("A deal of {day} was committed to", { day }), Promise.resolve(false));
  if (commitments.some((entry) => entry.awaits)) await check(gettext("Every deal that depends on a public beacon names the round of its day, and the log has it"), Promise.resolve(areRightRounds(leaves, lastDay(OVER_AFTER))));
  for (const daily of dailies) await checkDeal(daily, commitments, roundsIn(leaves));
  for (const entry of commitments.filter((one) => one.day === day)) {
    const isPublished = dailies.some((/** @type {any} */ daily) => nameOf(daily) === nameOf(entry));
    if (!isPublished) await check(gettext("{name}: what was committed to is a deal of the day", { name: nameOf(entry).replaceAll("|", " ") }), Promise.resolve(false));
  }
  const sealed = leaves.some((leaf) => leaf.startsWith(`pyramid/results/2|${day}|`));
  if (!sealed && day <= lastDay(SEALED_AFTER)) await check(gettext("The results of this day are sealed"), Promise.resolve(false));
  else if (!sealed) note(gettext("The results of this day are sealed 24 hours after its last games have ended."));
}

/** @param {any} daily @param {any[]} commitments @param {Map<string, import("../verify.js").Round>} rounds */
async function checkDeal(daily, commitments, rounds) {
  const name = nameOf(daily).replaceAll("|", " ");
  const committed = commitments.find((entry) => nameOf(entry) === nameOf(daily));
  const when = committed?.committed_at.replace("T", " ").replace("Z", " UTC") ?? gettext("never");
  await check(gettext("{name}: its commitment is in the log, made {when}", { name, when }), Promise.resolve(Boolean(committed) && isAsCommitted(daily, committed)));
  if (committed && committed.committed_at >= `${daily.day}T00:00:00Z`) note(gettext("{name}: it was committed to only when its day had begun. Nothing shows that the deal was chosen in advance.", { name }));
  if (!daily.reveal && daily.day <= lastDay(OVER_AFTER)) await check(gettext("{name}: the seed is revealed", { name }), Promise.resolve(false));
  if (!daily.reveal) return note(gettext("{name}: the seed is revealed when the last games have ended. Come back then.", { name }));
  await check(gettext("{name}: the seed is the one that was committed to", { name }), commitmentOf(daily, daily.reveal.seed).then((found) => found === daily.commitment));
  const logged = committed?.awaits ? rounds.get(`${daily.day}|${daily.rules}`) : undefined;
  if (committed?.awaits || daily.beacon) await checkRound(daily, committed?.awaits ?? null, logged, name);
  const seed = await seedOfDay(daily.reveal.seed, logged);
  await check(gettext("{name}: the deck follows from the seed", { name }), deckOf(daily, { ...daily.reveal, seed }).then((found) => found === daily.reveal.deck));
  await checkChoice({ ...daily, grade: committed?.grade, reveal: { ...daily.reveal, seed } }, name);
}

/** @param {any} daily @param {import("../verify.js").Awaited | null} awaits @param {import("../verify.js").Round | undefined} logged @param {string} name */
async function checkRound(daily, awaits, logged, name) {
  const round = awaits?.round ?? 0;
  await check(gettext("{name}: it depends on round {round} of a public beacon, as was committed to", { name, round }), isRoundOf(daily.beacon ?? null, awaits, logged));
  if (logged?.randomness === FALLBACK) note(gettext("{name}: the round came too late, so the deal follows from the committed seed alone, which the server knew before.", { name }));
  else note(gettext("{name}: this page does not check the signature of the round. Compare it with the beacon's own: {address}", { name, address: `https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/${round}` }));
}

/** Return whether the day shows a commitment as the log has it. @param {any} daily @param {any} committed */
function isAsCommitted(daily, committed) {
  return ["commitment", "committed_at", "grade"].every((field) => daily[field] === committed[field]);
}

/** Check that a deck is as hard as it is said to be, and the first of its seed that could be taken. @param {any} daily @param {string} name */
async function checkChoice(daily, name) {
  const { rules, grade: asked, reveal } = daily;
  const { fields } = await getJson(`/api/rules/${rules}/`);
  const grade = asked ?? reveal.grade;
  if (grade && fields.decks === 1) {
    const text = asked ? gettext("{name}: it is {grade}, as was committed to", { name, grade: gradeText(grade) }) : gettext("{name}: it is {grade}", { name, grade: gradeText(grade) });
    await check(text, gradeOf(rules, fields, reveal.deck).then((found) => found === grade && (reveal.grade ?? found) === found));
  }
  if (rules in DECIDABLE) await check(gettext("{name}: no deck of the seed before it could be taken", { name }), firstFitting(daily, fields).then((first) => first === reveal.candidate));
  else note(gettext("{name}: whether an earlier deck of the seed can be won takes a search that this page does not do.", { name }));
}

/** @param {string} grade */
function gradeText(grade) {
  return { easy: gettext("easy"), medium: gettext("medium"), hard: gettext("hard") }[grade] ?? grade;
}

/** @param {string} id */
async function checkResult(id) {
  const [told, { record: text }] = await Promise.all([getJson(`/api/games/${id}/`), getJson(`/api/games/${id}/record/`)]);
  const record = readRecord(text);
  const { fields } = await getJson(`/api/rules/${record.tags.Rules}/`);
  const left = Promise.resolve().then(() => leftAfter(fields, record));
  await check(gettext("Every move of the game is legal"), left.then(() => true));
  const { Day: day, Rules: rules, Division: division } = record.tags;
  const moves = record.entries.filter(({ action }) => action !== "H").length;
  await check(gettext("It took {moves} moves", { moves: told.moves }), Promise.resolve(moves === told.moves));
  await check(gettext("{left} cards were left", { left: told.cards_left }), left.then((found) => found === told.cards_left && (found === 0) === (told.status === "won")));
  await check(gettext("It took {time} ms", { time: told.elapsed_ms }), Promise.resolve((record.entries.at(-1)?.at ?? 0) === told.elapsed_ms));
  const isSame = told.id === id && record.tags.Game === id && told.rules === rules && told.day === (day ?? null) && told.division === (division ?? null) && told.status === record.result;
  await check(gettext("Its day, rules, division and result are those of its record"), Promise.resolve(isSame));
  if (!day) return;
  const { dailies } = await getJson(`/api/daily/${day}/`);
  const own = dailies.find((/** @type {any} */ daily) => nameOf(daily) === `${day}|${rules}|${division}`);
  const deck = withOwnSuits(record.tags.Deck ?? "", record.tags.Suits ?? ""), isHidden = own && !own.reveal;
  if (!isHidden) await check(gettext("It was played on the deal of its day"), Promise.resolve(own?.reveal.deck === deck));
  const leaves = await checkLog();
  if (own) await checkDeal(own, commitmentsIn(leaves), roundsIn(leaves));
  await checkSeal(fields, record, leaves);
}

/** Check that the result of a record is among those that its day was sealed with. @param {import("../play/rules.js").Rules} fields @param {import("../play/notation.js").GameRecord} record @param {string[]} leaves of the log, which may have grown since */
async function checkSeal(fields, record, leaves) {
  const game = record.tags.Game, answer = await fetch(`/tlog/proof/games/${game}`);
  if (answer.status === 404) return note(gettext("It is not sealed: its day is not final yet, or the result was not verified."));
  const proof = readProof(await answer.text()), keys = await (await fetched("/tlog/keys")).text();
  await check(gettext("Its line is the one that was sealed"), isOfRecord(fields, record, proof));
  await check(gettext("It is one of {count} results of its day", { count: proof.leaf.split("|")[2] ?? "" }), isInDay(proof));
  const isSame = (leaves[proof.index] ?? proof.leaf) === proof.leaf;
  const isLogged = Promise.all([isInLog(proof), readKeys(keys).then((all) => signersOf(proof, all))]);
  await check(gettext("Its day is in the signed log"), isLogged.then(([isIn, { log }]) => isIn && isSame && log.length > 0));
  const kept = make("p", ""), link = /** @type {HTMLAnchorElement} */ (make("a", "", gettext("Keep the proof of this result")));
  link.href = `/tlog/proof/games/${game}`;
  kept.append(link);
  byId("result").append(kept);
}

/** Return the text of the file that was chosen, or nothing. @param {string} id */
const chosen = async (id) => (await /** @type {HTMLInputElement} */ (byId(id)).files?.[0]?.text()) ?? "";

/** Check a proof that somebody kept with keys that they trust; the network is not needed for it. */
async function checkKept() {
  const [text, recordText] = await Promise.all([chosen("proof"), chosen("record")]);
  const proof = readProof(text), keys = await readKeys(/** @type {HTMLTextAreaElement} */ (byId("keys")).value);
  await check(gettext("The leaf is in the log of {size} leaves: {leaf}", { size: proof.size, leaf: proof.leaf }), isInLog(proof));
  const signers = signersOf(proof, keys);
  await check(gettext("The head is signed by the log {origin}", { origin: proof.origin }), signers.then(({ log }) => log.length > 0));
  const { witnesses } = await signers.catch(() => ({ witnesses: [] }));
  if (witnesses.length) await check(gettext("The head is signed by {count} witnesses: {names}", { count: witnesses.length, names: witnesses.join(", ") }), Promise.resolve(true));
  else note(gettext("No witness that you trust has signed it: others might see another log."));
  if (proof.inner.length) await check(gettext("The result is one of its day: {line}", { line: proof.inner[0] ?? "" }), isInDay(proof));
  if (!recordText) return;
  const record = readRecord(recordText);
  const { fields } = await getJson(`/api/rules/${record.tags.Rules}/`);
  await check(gettext("The result follows from the moves of the record"), isOfRecord(fields, record, proof));
}

/** Run checks and say how they ended. @param {() => Promise<void>} checks @param {string} failed */
async function show(checks, failed) {
  steps.replaceChildren();
  byId("result").replaceChildren(steps);
  try {
    await checks();
    if (!steps.childElementCount) return; // there was nothing to check
    const isGood = !steps.querySelector(".bad");
    note(isGood ? gettext("Everything that could be checked is correct.") : gettext("Something is wrong. Please tell the operator."));
  } catch {
    note(failed);
  }
}

/** Let a proof be checked, with the keys that the server shows unless others are entered. */
function offerKept() {
  const keys = /** @type {HTMLTextAreaElement} */ (byId("keys"));
  fetch("/tlog/keys").then(async (answer) => { if (answer.ok && !keys.value) keys.value = await answer.text(); }).catch(() => {});
  byId("kept").addEventListener("submit", (event) => {
    event.preventDefault();
    void show(checkKept, gettext("The proof, the record or the keys cannot be read."));
  });
}

async function run() {
  if (globalThis.crypto?.subtle) offerKept();
  const [day, game] = [asked.get("day"), asked.get("game")];
  if (!day && !game) return;
  if (!globalThis.crypto?.subtle) return note(gettext("Browsers compute hashes only over HTTPS. The command below does the same."));
  await show(async () => {
    if (day) await checkDay(day);
    if (game) await checkResult(game);
  }, gettext("This could not be fetched: the day does not exist, the game is not public yet, or the server is unavailable."));
}

run();
