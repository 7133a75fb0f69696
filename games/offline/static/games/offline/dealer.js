// Deals and answers as the server does, for a game that is played without it. Pure, apart from the shuffle.
import { advance, beginning, writePosition } from "../play/notation.js";
import { cardsLeft, dealt, isFaceUp, learn, legalMoves, unknownFaces, unseenCards } from "../play/position.js";
import { RANKS } from "../play/rules.js";

/** @typedef {import("../play/rules.js").Rules} Rules */
/** @typedef {import("../client/game-client.js").Command} Command */
/** @typedef {import("../client/game-client.js").Events} Events */

/** @type {Record<string, string>} */
const ACTIONS = { undo: "U", redo: "Y" };

/** Return shuffled decks: each order is as likely as any other. @param {number} decks @returns {string[]} */
export function shuffled(decks) {
  const deck = Array.from({ length: decks }, () => [...RANKS].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit))).flat();
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [deck[last], deck[other]] = [/** @type {string} */ (deck[other]), /** @type {string} */ (deck[last])];
  }
  return deck;
}

/** Return a random number below another one, without a bias. @param {number} limit @returns {number} */
function below(limit) {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number < Math.floor(2 ** 32 / limit) * limit ? number % limit : below(limit);
}

/** Takes the part of the client of a game. */
export class Dealer {
  /** @type {Command | null} an answer comes at once, so nothing is ever under way */
  open = null;

  /** @param {Rules} rules @param {(played: Events["played"]) => void} answer @param {string[]} [deck] in dealing order */
  constructor(rules, answer, deck = shuffled(rules.decks)) {
    this.rules = rules;
    this.answer = answer;
    this.deck = deck;
    const board = dealt(rules);
    const faces = unknownFaces(rules).map((_, card) => (isFaceUp(rules, board, card) ? (deck[card] ?? null) : null));
    this.step = beginning(rules, faces);
  }

  /** Return what is seen of the deal before the first move. @returns {Events["state"]} */
  state() {
    const { board, faces } = this.step;
    const position = writePosition(this.rules, board, faces);
    return /** @type {Events["state"]} */ (/** @type {unknown} */ ({ version: 0, position, outcome: null, result: "*", moves: 0, open: null }));
  }

  /** @param {Command} command */
  send({ type, move = "" }) {
    const action = ACTIONS[type] ?? move;
    const next = advance(this.rules, this.step, action);
    if (!next) return;
    const revealed = unseenCards(this.rules, next.board, next.faces).map((card) => this.deck[card] ?? "");
    this.step = { ...next, faces: learn(this.rules, next.board, next.faces, revealed) };
    const { moves } = next;
    const legal = legalMoves(this.rules, next.board, this.step.faces).map(({ text }) => text);
    this.answer(/** @type {Events["played"]} */ ({ move: action, revealed, legal, outcome: this.outcome(legal), moves, isAnswer: true, isNews: true }));
  }

  /** @param {string[]} legal */
  outcome(legal) {
    if (cardsLeft(this.rules, this.step.board) === 0) return "won";
    return legal.length ? null : "stuck";
  }

  resync() {} // there is nobody else who could know better
}
