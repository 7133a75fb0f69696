// Pointers and keys on a table, as intents: what they mean is decided elsewhere.
import { afterFrame } from "./motion.js";
import { keyOf, spotOfButton } from "./table.js";

/** @typedef {import("./choose.js").Spot} Spot */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./player.js").PlayedTable} PlayedTable */
/**
 * @typedef {object} Intents
 * @property {(spot: Spot) => void} tap
 * @property {(from: Spot, to: Spot) => boolean} drop true if it is a move
 * @property {(spot: Spot) => number} lift the card that may be dragged from a place, or -1
 * @property {() => void} touched any input, before anything else
 */

/** @type {Record<string, number>} */
const SLACK = { touch: 10, pen: 6, mouse: 4 };
const BESIDE = 8; // a finger so far from a free card means it
const TWICE = 250, TWICE_STOCK = 200;

/** @typedef {{ id: number, spot: Spot, x: number, y: number, card: number, isDragged: boolean, slack: number }} Press */

export class PointerInput {
  /** @param {Table} table @param {Intents} intents */
  constructor(table, intents) {
    this.table = table;
    this.intents = intents;
    /** @type {Press | null} */
    this.press = null;
    this.last = { key: "", at: -Infinity };
    this.isHandled = false;
    const { stage } = table;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    stage.addEventListener("pointerup", (event) => this.up(event));
    stage.addEventListener("pointercancel", (event) => event.pointerId === this.press?.id && this.end());
    stage.addEventListener("click", (event) => this.click(event));
    // Pointer events say all about a finger. The gestures and the mouse that the browser would make of it cost a style,
    // a layout and searches for their targets, before the frame that shows what the tap has done.
    for (const type of ["touchstart", "touchend"]) stage.addEventListener(type, (event) => event.cancelable && event.preventDefault(), { passive: false });
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.isHandled = event.pointerType !== "touch";
    this.table.usesKeys = false;
    const spot = this.press || event.button !== 0 ? null : this.spotAt(event); // before anything is written
    this.intents.touched();
    if (!spot) return;
    const card = this.intents.lift(spot);
    this.press = { id: event.pointerId, spot, x: event.clientX, y: event.clientY, card, isDragged: false, slack: SLACK[event.pointerType] ?? 6 };
    this.table.stage.setPointerCapture(event.pointerId);
    requestAnimationFrame(() => this.picture?.classList.add("lifted")); // a tap that is over by then lifts nothing
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { press } = this;
    if (press?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.isDragged && Math.hypot(dx, dy) < press.slack) return;
    if (press.card < 0) return;
    press.isDragged = true;
    const { picture } = this;
    if (!picture) return;
    picture.classList.add("dragged");
    picture.style.transform = `translate(${dx}px, ${dy}px)`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press } = this;
    if (press?.id !== event.pointerId) return;
    const target = press.isDragged ? this.targetAt(event, press) : press.spot;
    this.end();
    if (press.isDragged && target && keyOf(target) !== keyOf(press.spot)) this.intents.drop(press.spot, target);
    else if (target && keyOf(target) === keyOf(press.spot)) this.tap(press.spot, event.timeStamp);
  }

  end() {
    const { picture } = this;
    this.press = null;
    if (!picture) return;
    picture.classList.remove("lifted", "dragged");
    picture.style.transform = "";
  }

  get picture() {
    return this.press && this.press.card >= 0 ? this.table.cards[this.press.card] : undefined;
  }

  /** A click without a pointer comes from a key, a voice or a switch. @param {MouseEvent} event */
  click(event) {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (this.isHandled && event.detail !== 0) {
      this.isHandled = false;
      return;
    }
    if (!button) return;
    this.intents.touched();
    this.tap(spotOfButton(button), event.timeStamp);
  }

  /** @param {Spot} spot @param {number} at */
  tap(spot, at) {
    const key = keyOf(spot);
    const within = spot.zone === "stock" ? TWICE_STOCK : TWICE;
    const isTwice = key === this.last.key && at - this.last.at < within;
    if (isTwice) return;
    this.last = { key, at };
    this.intents.tap(spot);
  }

  /** Return the place under a pointer, or the free card beside which a finger came down. @param {PointerEvent} event @returns {Spot | null} */
  spotAt(event) {
    const under = /** @type {HTMLElement} */ (event.target).closest("button");
    const isMeant = under && under.getAttribute("aria-disabled") !== "true";
    const beside = event.pointerType === "touch" && !isMeant ? this.freeBeside(event) : null;
    return beside ?? (under && spotOfButton(under));
  }

  /** @param {PointerEvent} event */
  freeBeside({ clientX, clientY }) {
    const distance = (/** @type {HTMLElement} */ button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      return Math.hypot(Math.max(left - clientX, 0, clientX - right), Math.max(top - clientY, 0, clientY - bottom));
    };
    const near = [...this.table.buttons.values()].filter((button) => !button.hidden && button.getAttribute("aria-disabled") !== "true" && distance(button) <= BESIDE);
    near.sort((one, other) => distance(one) - distance(other));
    return near[0] ? spotOfButton(near[0]) : null;
  }

  /** Return the place that a dragged card means: a partner that it overlaps most, or what lies under the pointer. @param {PointerEvent} event @param {Press} press @returns {Spot | null} */
  targetAt({ clientX, clientY }, press) {
    const origin = this.table.buttons.get(keyOf(press.spot))?.getBoundingClientRect();
    const [dx, dy] = [clientX - press.x, clientY - press.y];
    if (!origin) return null;
    const moved = { left: origin.left + dx, right: origin.right + dx, top: origin.top + dy, bottom: origin.bottom + dy };
    const overlap = (/** @type {DOMRect} */ { left, right, top, bottom }) =>
      Math.max(0, Math.min(right, moved.right) - Math.max(left, moved.left)) * Math.max(0, Math.min(bottom, moved.bottom) - Math.max(top, moved.top));
    const isUnder = (/** @type {DOMRect} */ { left, right, top, bottom }) => clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    const scored = [...this.table.buttons.values()]
      .filter((button) => !button.hidden && keyOf(spotOfButton(button)) !== keyOf(press.spot))
      .map((button) => ({ spot: spotOfButton(button), rect: button.getBoundingClientRect() }))
      .filter(({ spot }) => this.isTarget(press.spot, spot))
      .map(({ spot, rect }) => ({ spot, score: overlap(rect) + (isUnder(rect) ? 1e6 : 0) }))
      .sort((one, other) => other.score - one.score);
    if (scored[0] && scored[0].score > 0) return scored[0].spot;
    return isUnder(origin) ? press.spot : null;
  }

  /** True if a card may be dropped on a place; set by the page. @type {(from: Spot, to: Spot) => boolean} */
  isTarget = () => true;
}

/**
 * Let pointers play on a table: `refresh` shows what has changed, once the cards move.
 * @param {PlayedTable} view @param {() => void} refresh
 */
export function listenToPointers(view, refresh) {
  const input = new PointerInput(view.table, {
    touched: () => view.touched(),
    tap: (spot) => {
      view.tap(spot);
      afterFrame(refresh);
    },
    lift: (spot) => view.lift(spot),
    drop: (from, to) => {
      const isMove = view.drop(from, to);
      afterFrame(refresh);
      return isMove;
    },
  });
  input.isTarget = (from, to) => view.isTarget(from, to);
}

const DIRECTIONS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/** Return the place that an arrow key leads to, or null. @param {Table} table @param {string} key @param {(spot: Spot) => boolean} passes @returns {Spot | null} */
export function neighbour(table, key, passes) {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const [dx, dy] = direction;
  const from = table.centre(table.focused);
  const ahead = table.gridSpots().filter(passes).map((spot) => {
    const { x, y } = table.centre(keyOf(spot));
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    return { spot, along, cost: along + 2 * aside };
  });
  return ahead.filter(({ along }) => along > 1).sort((one, other) => one.cost - other.cost)[0]?.spot ?? null;
}
