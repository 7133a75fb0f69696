// The desk: keys of the queue and of a case, the game step by step, and who would move. Everything works without it.
import { moveNamed, legalMoves } from "../games/play/position.js";
import { advance, beginning } from "../games/play/notation.js";
import { sceneOf } from "../games/play/scene.js";
import { gettext } from "../games/texts.js";

const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const SVG = "http://www.w3.org/2000/svg";
const PACE = 700;

function make(name, attributes = {}, text = "") {
  const made = name === "rect" ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** The game, step by step. */
function stepper() {
  const source = byId("replay-data");
  if (!source) return null;
  const data = JSON.parse(source.textContent);
  const states = [beginning(data.rules, data.deck)];
  for (const action of data.actions) states.push(advance(data.rules, states.at(-1), action) ?? states.at(-1));
  const count = data.actions.length;
  let at = parseInt(byId("at").textContent, 10);
  let timer = 0;

  function ringed() {
    const { board, faces } = states[at - 1];
    const move = moveNamed(data.rules, board, faces, data.actions[at - 1]);
    const others = legalMoves(data.rules, board, faces).filter((other) => other.text !== move?.text);
    const scene = sceneOf(data.rules, board, data.places);
    const corners = (moves) =>
      moves.flatMap((own) => (own.cards.length ? own.cards.map((card) => scene[card]) : [data.places.stock])).map(({ x, y }) => `${x} ${y}`);
    const played = new Set(move ? corners([move]) : []);
    return [...played].map((spot) => [spot, "rim"]).concat([...played].map((spot) => [spot, "ring"]), [...new Set(corners(others))].filter((spot) => !played.has(spot)).map((spot) => [spot, "alt"]));
  }

  function draw() {
    const { board } = states[at - 1];
    const scene = sceneOf(data.rules, board, data.places);
    for (const card of all("[data-card]")) {
      const lying = scene[card.dataset.card];
      const { x, y } = lying.zone === "stock" ? data.places.stock : lying;
      card.setAttribute("transform", `translate(${x} ${y})`);
      card.toggleAttribute("display", false);
      if (lying.zone === "removed") card.setAttribute("display", "none");
      const suit = data.deck[card.dataset.card][1].toLowerCase();
      card.setAttribute("class", `${lying.isUp ? ("dh".includes(suit) ? "r" : "k") : "back"}${lying.isFree && lying.isUp ? " free" : ""}`);
    }
    byId("rings").replaceChildren(...ringed().map(([spot, kind]) => make("rect", { class: kind, x: spot.split(" ")[0], y: spot.split(" ")[1], width: 50, height: 70, rx: 5 })));
    const waste = board.wastes.flat().length;
    const removed = scene.filter((lying) => lying.zone === "removed").length;
    for (const [id, value] of [["in-stock", board.stock.length], ["in-waste", waste], ["in-removed", removed]]) if (byId(id)) byId(id).textContent = value;
    byId("picture").setAttribute("aria-label", gettext("Position before action {at}: {stock} cards in the stock, {removed} removed.", { at, stock: board.stock.length, removed }));
  }

  function tell() {
    const step = data.steps[at - 1];
    byId("step-title").textContent = step.title;
    byId("step-took").textContent = step.took;
    byId("said").textContent = step.says;
    byId("at").textContent = `${at} / ${count}`;
    const letter = "abcdefgh"[data.marks.indexOf(at - 1)];
    byId("step-name").textContent = letter ? gettext("before action {at}, mark {letter}", { at, letter }) : gettext("before action {at}", { at });
    byId("moves")?.tBodies[0].replaceChildren(...step.rows.map(([name, seen, truth, isPlayed]) => {
      const row = make("tr", isPlayed ? { class: "played" } : {});
      row.append(make("td", {}, isPlayed ? gettext("{name}, played", { name }) : name), make("td", { class: "num" }, seen), make("td", { class: "num" }, truth));
      return row;
    }));
    byId("seen").textContent = step.seen;
    const unseen = data.stock.slice(step.seen);
    byId("unseen").replaceChildren(...(unseen.length ? unseen : [[gettext("none")]]).map(([name, isRed], index) => make("li", { class: `${isRed ? "h" : ""}${index || !unseen.length ? "" : " w"}` }, name)));
    const x = `${(100 * (at - 0.5)) / count}%`;
    for (const cursor of all(".cursor")) for (const end of ["x1", "x2"]) cursor.setAttribute(end, x);
  }

  function go(to) {
    at = Math.max(1, Math.min(count, to));
    draw();
    tell();
    history.replaceState(null, "", `?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), at: String(at) })}${location.hash}`);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    one("[data-go=play]").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return pause();
    if (at === count) go(1);
    one("[data-go=play]").setAttribute("aria-pressed", "true");
    timer = setInterval(() => (at < count ? go(at + 1) : pause()), PACE);
  }

  const mark = (way) => {
    const steps = data.marks.map((step) => step + 1);
    const next = way > 0 ? (steps.find((step) => step > at) ?? steps[0]) : (steps.findLast((step) => step < at) ?? steps.at(-1));
    if (next) go(next);
  };
  const acts = { first: () => go(1), back: () => go(at - 1), on: () => go(at + 1), last: () => go(count), mark: () => mark(1), unmark: () => mark(-1), play, by: (steps) => go(at + steps) };
  one("[data-go=play]").hidden = false;
  for (const control of all("[data-go]")) {
    control.addEventListener("click", (event) => {
      event.preventDefault();
      acts[control.dataset.go]();
    });
  }
  return acts;
}

/** Show beside the choice which ranks would move. */
function previews() {
  const form = one("form.choose[data-moves]");
  if (!form) return;
  const box = one(".who-moves");
  const show = async () => {
    const outcome = form.elements.outcome.value;
    for (const group of all("optgroup")) group.disabled = group.hidden = Boolean(outcome) && !group.dataset.outcomes.split(" ").includes(outcome);
    const first = all("optgroup:not(:disabled) option");
    if (outcome && !first.some((option) => option.selected)) form.elements.reason.value = "";
    if (!outcome || !first.length) return;
    const query = new URLSearchParams({ outcome, reason: form.elements.reason.value || first[0].value });
    const answer = await fetch(`${form.dataset.moves}?${query}`, { headers: { Accept: "application/json" } }).catch(() => null);
    const found = await answer?.json().catch(() => null);
    if (form.elements.outcome.value !== outcome) return;
    box.hidden = false;
    byId("who-said").textContent = !found ? gettext("The changes of rank cannot be fetched right now. What you wrote is still there.") : (found.error ?? (found.boards.length ? found.says : gettext("No rank changes.")));
    box.querySelector("tbody").replaceChildren(...(found?.boards ?? []).map(({ title, before, after, others }) => {
      const row = make("tr");
      row.append(make("td", {}, title), make("td", { class: "num" }, `${before ?? gettext("none")} → ${after ?? gettext("none")}`), make("td", { class: "num" }, String(others)));
      return row;
    }));
  };
  for (const radio of all("[name=outcome]")) radio.addEventListener("change", show);
  byId("reason").addEventListener("change", show);
  show();
}

const game = stepper();
previews();

// Keys

const rows = all(".queue .row");
function move(by) {
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  rows[Math.max(0, Math.min(rows.length - 1, now + by))]?.querySelector("a.open").focus();
}

function section(by) {
  const places = all(".case section, #decide");
  const now = places.findLastIndex((place) => place.getBoundingClientRect().top < 100);
  places[Math.max(0, Math.min(places.length - 1, now + by))]?.scrollIntoView();
}

function choose(number) {
  if (rows.length || !one(".case")) return all(".views a")[number - 1]?.click();
  const option = all("[name=outcome]")[number - 1];
  if (!option || option.disabled) return;
  option.focus();
  option.click();
}

function note() {
  const box = one(".note");
  if (!box) return;
  box.open = true;
  byId("note").focus();
}

function take() {
  const form = document.activeElement?.closest("tr")?.querySelector("form.take") ?? one("[data-key=t]")?.form;
  form?.requestSubmit();
}

const LETTERS = {
  j: () => move(1), k: () => move(-1), t: take, n: () => game?.mark(), p: () => game?.unmark(), "[": () => section(-1), "]": () => section(1),
  d: () => (one("[name=outcome]:not(:disabled)") ?? one("#decide button"))?.focus(), m: note, b: () => one("[data-key=b]")?.form.requestSubmit(), "/": () => all("#find, .filters [name=q]").find((box) => box.offsetParent)?.focus(), "?": () => byId("keys")?.showModal(),
};
const OTHERS = {
  ArrowLeft: (event) => game?.by(event.shiftKey ? -10 : -1), ArrowRight: (event) => game?.by(event.shiftKey ? 10 : 1), Home: () => game?.first(), End: () => game?.last(), " ": () => game?.play(),
};

const letters = byId("letters");
if (letters) {
  letters.checked = localStorage.getItem("desk-letters") !== "off";
  letters.addEventListener("change", () => localStorage.setItem("desk-letters", letters.checked ? "on" : "off"));
}

document.addEventListener("keydown", (event) => {
  const sure = one("form.sure");
  if (sure && event.key === "Enter" && (event.ctrlKey || event.metaKey)) return sure.requestSubmit();
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]") || target.closest("textarea, select, input:not([type=radio])")) return;
  const onControl = target.closest("a, button, summary, input");
  const act = event.key in OTHERS ? (onControl && (event.key === " " || target.closest("input")) ? null : game && OTHERS[event.key]) : letters?.checked !== false && (/^[1-9]$/.test(event.key) ? () => choose(Number(event.key)) : LETTERS[event.key]);
  if (!act) return;
  event.preventDefault();
  act(event);
});
