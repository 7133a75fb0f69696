// A table that is played on: intents become actions, and what changes is shown, moved and said.
import { byId, readOut, say } from "../dom.js";
import { isDrawnWith } from "../options.js";
import { gettext } from "../texts.js";
import { labelOf, nameOf, sentenceOf } from "./announce.js";
import { canBeTouched, cardAt, choiceOfTap, coversOfCard, moveOfDrop, parkingOf, spotOf, touchableCards } from "./choose.js";
import { kingToGo, letKingsGo } from "./kings.js";
import { layOut } from "./layout.js";
import { MOTION, afterFrame, celebrate, deal, skip } from "./motion.js";
import { advance } from "./notation.js";
import { cardsLeft, legalMoves, moveNamed } from "./position.js";
import { stockSize } from "./rules.js";
import { play } from "./sounds.js";
import { formOf } from "./stage.js";
import { Table } from "./table.js";
import { showTalon } from "./talon.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./choose.js").Spot} Spot */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Change} Change */
/** @typedef {"covered" | "no-cards" | "no-pass" | "no-cell" | "no-partner" | "full"} Why why a tap is refused */

const RESTS = 300; // milliseconds in which a card that was just uncovered is not taken by the same quick finger
const NO_RECYCLE = 400; // after a draw
/** @type {Record<ReturnType<typeof formOf>, [number, number]>} */
const MARGINS = { phone: [6, 6], tablet: [24, 16], wide: [20, 16], low: [8, 6] };

export class TableView {
  /** @param {Rules} rules @param {() => import("./notation.js").Step} step what lies on the table */
  constructor(rules, step) {
    this.rules = rules;
    this.step = step;
    this.selected = -1;
    /** @type {number[]} */
    this.hinted = [];
    this.table = new Table(byId("table"), rules, { grid: gettext("Tableau"), piles: gettext("Stock and other piles") });
    this.polite = byId("polite");
    new ResizeObserver(() => setTimeout(() => this.fit())).observe(byId("felt")); // also at once; the browser draws in between
    addEventListener("options", () => this.fit());
  }

  get shown() {
    const { board, faces } = this.step();
    return { rules: this.rules, board, faces };
  }

  /** Milliseconds until cards are shown whose faces are not known: those that are about to be dealt would be drawn twice. */
  firstAfter = 0;

  /** Lay the table out again for the room that there is. */
  fit() {
    const felt = byId("felt");
    const [x, y] = MARGINS[formOf({ width: innerWidth, height: innerHeight })];
    const talon = /** @type {HTMLElement | null} */ (felt.querySelector(".talon"));
    const stage = { width: felt.clientWidth - 2 * x, height: felt.clientHeight - 2 * y - (talon?.offsetHeight ?? 0) };
    if (stage.width < 100 || stage.height < 150) return;
    const layout = layOut(this.rules, stage, { mirrored: isDrawnWith("mirrored") });
    Object.assign(this.table.stage.style, { left: `${x}px`, top: `${y}px`, width: `${stage.width}px`, height: `${stage.height}px` });
    felt.classList.toggle("roomy", layout.spare > 34);
    if (this.table.layout) this.take(layout);
    else setTimeout(() => this.take(layout)); // to find it has taken long enough
  }

  /** Take over another layout. @param {import("./layout.js").Layout} layout */
  take(layout) {
    const isFirst = !this.table.layout;
    this.table.resize(layout);
    if (isFirst) setTimeout(() => this.show(), this.firstAfter); // making the places has taken long enough
    else this.show();
  }

  /** @param {number} [duration] @param {(cards: number[]) => void} [deal] */
  show(duration = 0, deal) {
    const { shown } = this;
    this.table.show({ shown, selected: this.selected, hinted: this.hinted, label: (spot) => labelOf(shown, spot) }, duration, deal);
    showTalon(shown);
  }

  /** Let cards be dealt. @param {number[]} numbers */
  deal(numbers) {
    const { layout, cards, scene } = this.table;
    const dealt = numbers.flatMap((card) => {
      const [picture, to] = [cards[card], scene[card]];
      return picture && to?.isShown ? [{ picture, to, at: card / cards.length }] : [];
    });
    if (layout) deal(dealt, layout.stock ?? layout.removed);
  }
}

export class PlayedTable extends TableView {
  /** @param {Game} game @param {(text: string) => void} tell where words are shown that go away with the next action */
  constructor(game, tell) {
    super(game.rules, () => game.shown);
    this.game = game;
    this.tell = tell;
    this.before = this.shown;
    this.lastDraw = -Infinity;
    /** @type {Map<number, number>} */
    this.freedAt = new Map();
  }

  /** Show a change of the game. @param {Change} change */
  changed({ kind, action }) {
    const before = this.before;
    this.before = this.shown;
    this.keepSelection();
    if (!this.game.isPlayer && action) this.toSay = { before, action };
    if (kind !== "dealt") this.noteFreed(before);
    this.show(durationOf(kind, action), kind === "dealt" ? (cards) => this.deal(cards) : undefined);
    if (kind === "dealt") this.rehearse();
    letKingsGo({ kind, action }, () => this.kingGoes());
    if (cardsLeft(this.rules, this.shown.board) === 0 && cardsLeft(this.rules, before.board) > 0) this.won();
  }

  /** Do in thought what the first tap will, in small tasks while cards fly: the browser compiles what is called for the first time. */
  rehearse() {
    const { rules, shown } = this;
    const move = () => legalMoves(rules, shown.board, shown.faces)[0]?.text ?? "";
    const tasks = [
      move,
      () => choiceOfTap(shown, -1, { zone: "tableau", index: 0 }),
      () => sentenceOf(shown, { rules, ...(advance(rules, this.step(), move()) ?? shown) }, move()),
    ];
    for (const task of tasks) setTimeout(task, MOTION.deal);
  }

  /** Remove a free king. What the player has selected meanwhile stays so. */
  kingGoes() {
    const { selected } = this;
    const king = kingToGo(this.shown);
    const isHeld = this.table.stage.querySelector(".lifted, .dragged") !== null;
    if (!king || isHeld || !this.game.isPlayer || this.game.result !== "*") return;
    this.act(king);
    if (selected >= 0 && canBeTouched(this.shown, selected)) this.select(selected);
  }

  won() {
    play("win");
    const { stage, cards } = this.table;
    const room = { width: stage.clientWidth, height: stage.clientHeight };
    // After the flights of the last cards have begun, which would otherwise take these out of the finale.
    requestAnimationFrame(() => celebrate(cards.filter(({ classList }) => classList.contains("gone")), room));
  }

  keepSelection() {
    const { selected } = this;
    if (selected >= 0 && !canBeTouched(this.shown, selected)) this.selected = -1;
  }

  /** @param {import("./choose.js").Shown} before */
  noteFreed(before) {
    const [now, earlier] = [touchableCards(this.shown), touchableCards(before)];
    for (const card of this.shown.board.tableau) {
      if (now.has(card) && !earlier.has(card)) this.freedAt.set(card, performance.now());
    }
  }

  touched() {
    skip();
  }

  /** @param {Spot} spot */
  tap(spot) {
    this.tell("");
    const card = cardAt(this.shown.board, spot);
    if (!this.game.isPlayed || this.rests(card)) return;
    if (this.game.isFull) return this.refuse("full", card);
    const choice = choiceOfTap(this.shown, this.selected, spot);
    switch (choice.do) {
      case "move":
        return this.act(choice.text);
      case "select":
        return this.select(choice.card);
      case "deselect":
        return this.select(-1);
      case "refuse":
        return this.refuse(choice.why, choice.card);
    }
  }

  /** @param {number} card */
  rests(card) {
    return performance.now() - (this.freedAt.get(card) ?? -Infinity) < RESTS && !this.table.usesKeys;
  }

  /** @param {Spot} spot */
  lift(spot) {
    const card = cardAt(this.shown.board, spot);
    const canLeaveStock = spot.zone !== "stock" || this.rules.stock_open;
    return this.game.canAct && card >= 0 && canLeaveStock && canBeTouched(this.shown, card) ? card : -1;
  }

  /** @param {Spot} from @param {Spot} to */
  drop(from, to) {
    const move = moveOfDrop(this.shown, cardAt(this.shown.board, from), to);
    if (move && this.game.canAct) this.act(move);
    return Boolean(move);
  }

  /** @param {Spot} from @param {Spot} to */
  isTarget(from, to) {
    return moveOfDrop(this.shown, cardAt(this.shown.board, from), to) !== null;
  }

  /** Do an action: a move, `U` or `Y`. @param {string} action */
  act(action) {
    if (action === "R" && performance.now() - this.lastDraw < NO_RECYCLE) return;
    this.tell("");
    const before = this.shown;
    this.selected = -1;
    this.hinted = [];
    byId("table").classList.remove("ring-stock");
    if (!this.game.act(action)) {
      this.show();
      return;
    }
    if (action === "D") this.lastDraw = performance.now();
    play(action === "D" || action === "R" ? "draw" : "remove");
    this.toSay = { before, action };
    afterFrame(() => this.speak());
  }

  /** @type {{ before: import("./choose.js").Shown, action: string } | null} */
  toSay = null;

  /** Say what the last action did, once the cards that it turned up are known. */
  speak() {
    if (!this.toSay || this.game.awaitsFaces) return;
    say(this.polite, sentenceOf(this.toSay.before, this.shown, this.toSay.action));
    this.toSay = null;
  }

  /** @param {number} card */
  select(card) {
    this.selected = card;
    this.show();
    say(this.polite, card < 0 ? gettext("Nothing selected.") : gettext("{card} selected.", { card: nameOf(this.shown.faces[card]) }));
  }

  /** @param {Why} why @param {number} card */
  refuse(why, card) {
    const covers = why === "covered" ? coversOfCard(this.shown, card) : [];
    this.table.refuse(card, covers);
    play("refuse");
    const text = refusalOf(why, covers.map((cover) => nameOf(this.shown.faces[cover])));
    this.tell(text);
    readOut(this.polite, text);
  }

  /** Draw, or turn the waste over. */
  draw() {
    if (!stockSize(this.rules)) return;
    if (this.game.isFull) return this.refuse("full", -1);
    const { rules, board, faces } = this.shown;
    const move = ["D", "R"].find((text) => moveNamed(rules, board, faces, text));
    if (move) this.act(move);
    else this.refuse(board.wastes.some((pile) => pile.length) ? "no-pass" : "no-cards", -1);
  }

  /** Park the selected card, or the focused one. @param {number} focused */
  park(focused) {
    const move = parkingOf(this.shown, this.selected >= 0 ? this.selected : focused);
    if (move) this.act(move);
    else if (this.rules.cells) this.refuse("no-cell", -1);
  }

  /** Ring the cards of a move. @param {string | null} move */
  ring(move) {
    const found = move ? moveNamed(this.rules, this.shown.board, this.shown.faces, move) : null;
    this.hinted = found?.cards ?? [];
    byId("table").classList.toggle("ring-stock", move === "D" || move === "R");
    this.show();
  }

  /** Move the focus to the first free card, unless it is somewhere already. Once the table is drawn, that is cheap. */
  focusFirst() {
    this.table.whenPlaced(() => afterFrame(() => {
      if (document.activeElement && document.activeElement !== document.body) return;
      const first = this.table.gridSpots().find((spot) => this.table.isFree(this.shown, spot));
      if (first) this.table.focus(first);
    }));
  }

  /** Move the focus to where it was in the table. */
  focusAgain() {
    this.table.buttons.get(this.table.focused)?.focus({ preventScroll: true });
  }

  /** Return the place of a card. @param {number} card */
  spotOf(card) {
    return spotOf(this.shown.board, card);
  }
}

/** @param {Change["kind"]} kind @param {string} action */
function durationOf(kind, action) {
  if (kind === "replaced" || kind === "dealt") return kind === "dealt" ? 0 : MOTION.draw;
  if (kind === "undone" || kind === "rolled-back") return MOTION.undo;
  return action === "D" || action === "R" ? MOTION.draw : MOTION.removal;
}

/** @param {Why} why @param {string[]} covers */
function refusalOf(why, covers) {
  switch (why) {
    case "covered":
      return gettext("Covered by {cards}.", { cards: covers.join(", ") });
    case "no-cards":
      return gettext("The stock is empty.");
    case "no-pass":
      return gettext("The stock is empty, and no passes are left.");
    case "no-cell":
      return gettext("There is no free cell, or this card cannot be parked.");
    case "no-partner":
      return gettext("These two cannot leave together.");
    case "full":
      return gettext("Eight moves are waiting for the server. One moment.");
  }
}
