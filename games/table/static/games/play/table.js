// The table: one picture for each card that lives as long as the page, and above them a transparent button for each place.
import { draw, isDrawn, makeCard, turn } from "./cards.js";
import { cardAt } from "./choose.js";
import { MOTION, afterFrame, fly, isStill, move } from "./motion.js";
import { coversOf } from "./position.js";
import { shapeOf } from "./rules.js";
import { rectOf, sceneOf, spotsOf } from "./scene.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./choose.js").Spot} Spot */
/** @typedef {import("./choose.js").Shown} Shown */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./scene.js").Lying} Lying */
/** @typedef {{ shown: Shown, selected: number, hinted: number[], label: (spot: Spot) => string }} View */

const AT_ONCE = 6; // cards dealt or drawn in one frame: on a slow phone, a whole table would hold up everything else
const UNBURIED = 6; // removed cards that stay in sight: those that may still be in flight, and what they will cover
const ROUND = 0.09; // of the width
const SMALL = 72; // pixels: a narrower card has one pip instead of many

/** @param {Spot} spot */
export const keyOf = ({ zone, index }) => `${zone}-${index}`;

/** @param {string} name @param {string} className @param {Record<string, string>} [attributes] */
function element(name, className, attributes = {}) {
  const made = document.createElement(name);
  made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Add a rule to the page in a sheet of its own: the browser reads all of a sheet again that changes. Return its style, which is empty. @param {string} selector */
function addRule(selector) {
  const sheet = new CSSStyleSheet();
  sheet.insertRule(`${selector} {}`);
  document.adoptedStyleSheets.push(sheet);
  return /** @type {CSSStyleRule} */ (sheet.cssRules[0]).style;
}

export class Table {
  /** @param {HTMLElement} stage @param {Rules} rules @param {{ grid: string, piles: string }} names */
  constructor(stage, rules, names) {
    this.stage = stage;
    this.rules = rules;
    this.pictures = element("div", "pictures", { "aria-hidden": "true" });
    this.grid = element("div", "grid", { role: "grid", "aria-label": names.grid });
    this.piles = element("div", "piles", { role: "group", "aria-label": names.piles });
    this.grid.hidden = this.piles.hidden = true; // a place has a name only once something is shown
    stage.replaceChildren(this.pictures, this.grid, this.piles);
    this.size = addRule(".pictures > .card"); // in numbers: to read variables takes longer than the rest of a card's style
    /** @type {HTMLElement[]} */
    this.cards = Array.from({ length: rules.decks * 52 }, makeCard);
    for (const card of this.cards) card.hidden = true;
    this.pictures.append(...this.cards);
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {Lying[]} */
    this.scene = [];
    /** @type {Map<string, HTMLElement>} */
    this.slots = new Map();
    /** The look written last to each picture, button and slot; most stay as they are. @type {Map<HTMLElement, string>} */
    this.written = new Map();
    this.layout = /** @type {Layout | null} */ (null);
    this.isSmall = false;
    this.focused = "tableau-0"; // the one stop for Tab in the grid
    stage.addEventListener("focusin", (event) => this.noteFocus(/** @type {HTMLElement} */ (event.target)));
    this.raised = 1;
    /** The flights that begin in the next frame. @type {(() => void)[]} */
    this.flights = [];
    this.view = /** @type {View | null} */ (null); // what is shown
    /** @type {[number, Lying][]} */
    this.coming = []; // cards of this view that are not placed yet
    this.placed = /** @type {View | null} */ (null); // the view whose places are shown
    /** @type {(() => void)[]} */
    this.callbacks = []; // to call once the places of this view are shown
    this.text = ""; // all that the view shows
    this.next = 0; // the frame in which the next pictures are drawn
  }

  /** Take over another layout; cards move there at once. @param {Layout} layout */
  resize(layout) {
    this.layout = layout;
    const { w, h, s } = layout.card;
    for (const [name, value] of Object.entries({ w, h, s, fan: layout.fan })) this.stage.style.setProperty(`--${name}`, `${value}px`);
    Object.assign(this.size, { width: `${w}px`, height: `${h}px`, borderRadius: `${ROUND * w}px` });
    this.isSmall = w < SMALL;
    this.stage.classList.toggle("small", this.isSmall);
    if (!this.buttons.size) this.makeButtons(layout);
    this.scene = [];
    this.written.clear();
    this.text = "";
  }

  /** Return true if an element is not written like this yet. @param {HTMLElement} element @param {unknown[]} look */
  differs(element, look) {
    const text = look.join("|");
    if (this.written.get(element) === text) return false;
    this.written.set(element, text);
    return true;
  }

  /** @param {Layout} layout */
  makeButtons(layout) {
    /** @type {Map<string, HTMLElement>} */
    const rows = new Map();
    for (const spot of spotsOf(layout)) {
      const button = this.makeButton(spot);
      if (spot.zone !== "tableau" && spot.zone !== "reserve") this.makePile(spot, button);
      else {
        const place = spot.zone === "tableau" ? shapeOf(this.rules).places[spot.index] : null;
        const key = place ? `${place.peak}-${place.row}` : "reserve";
        const row = rows.get(key) ?? element("div", "row", { role: "row" });
        rows.set(key, row);
        row.append(button);
        button.setAttribute("role", "gridcell");
        button.tabIndex = keyOf(spot) === this.focused ? 0 : -1;
      }
    }
    this.grid.append(...rows.values());
  }

  /** @param {Spot} spot */
  makeButton(spot) {
    const button = /** @type {HTMLButtonElement} */ (element("button", "place", { type: "button" }));
    button.dataset.zone = spot.zone;
    button.dataset.index = String(spot.index);
    spots.set(button, spot);
    this.buttons.set(keyOf(spot), button);
    return button;
  }

  /** @param {Spot} spot @param {HTMLElement} button */
  makePile(spot, button) {
    const slot = element("span", `slot ${spot.zone}`, { "aria-hidden": "true" });
    slot.append(element("b", "frame"), element("small", "count"));
    this.slots.set(keyOf(spot), slot);
    this.pictures.prepend(slot);
    this.piles.append(button);
  }

  /**
   * Show a view. Its places come after a frame unless keys are used: pictures and places in one frame hold up a slow phone.
   * @param {View} view @param {number} [duration] of the flight in milliseconds; 0 to be there at once
   * @param {(cards: number[]) => void} [deal] moves cards that are dealt: a few in each of the next frames
   */
  show(view, duration = 0, deal) {
    const { board, faces } = view.shown;
    if (!this.layout) return;
    const text = JSON.stringify([board, faces, view.selected, view.hinted]);
    if (text === this.text) return; // most answers of the server confirm what is shown
    this.text = text;
    this.view = view;
    const scene = [...sceneOf(this.rules, board, this.layout).entries()];
    this.coming = scene.filter(([, { isShown }]) => isShown);
    for (const [card, lying] of scene) if (!lying.isShown) this.place(card, lying, view, duration);
    this.placeNext(view, duration, deal);
  }

  /** @param {View} view @param {number} duration @param {(cards: number[]) => void} [deal] */
  placeNext(view, duration, deal) {
    const cards = this.coming.splice(0, deal ? AT_ONCE : Infinity);
    for (const [card, lying] of cards) this.place(card, lying, view, duration);
    deal?.(cards.map(([card]) => card));
    this.drawCards();
    if (this.coming.length) {
      afterFrame(() => this.view === view && this.placeNext(view, duration, deal));
      return;
    }
    setTimeout(() => this.bury(), duration);
    this.flyAll();
    if (this.usesKeys) this.showPlaces(view);
    else afterFrame(() => this.view === view && this.showPlaces(view));
  }

  /** @param {View} view */
  showPlaces(view) {
    let isChanged = false;
    for (const button of this.buttons.values()) isChanged = this.showButton(button, view) || isChanged;
    if (isChanged) this.showRows();
    for (const [key, slot] of this.slots) this.showSlot(key, slot, view);
    this.keepFocus(view);
    this.placed = view;
    for (const callback of this.callbacks.splice(0)) callback();
  }

  /** Call back once the places of the view are shown. @param {() => void} callback */
  whenPlaced(callback) {
    if (this.view && this.placed === this.view) callback();
    else this.callbacks.push(callback);
  }

  /** Begin the flights in the next frame, which computes the styles anyway: here, each would have them computed at once. */
  flyAll() {
    const flights = this.flights.splice(0);
    if (flights.length && !document.hidden) requestAnimationFrame(() => flights.forEach((begin) => begin()));
  }

  /** Draw what the cards show: some in each of the next frames, all of it now where no frame comes. */
  drawCards() {
    cancelAnimationFrame(this.next);
    const undrawn = this.cards.filter((card) => !card.hidden && !isDrawn(card));
    const isFlying = this.flights.length > 0; // from the next frame on: what lies face up may get its emblem one frame later
    if (document.hidden) undrawn.forEach(draw);
    else if (undrawn.length) {
      this.next = requestAnimationFrame(() => {
        undrawn.filter((card) => !isFlying || !card.firstChild).slice(0, AT_ONCE).forEach(draw);
        this.drawCards();
      });
    }
  }

  /** @param {number} card @param {Lying} lying @param {View} view @param {number} duration */
  place(card, lying, view, duration) {
    const picture = /** @type {HTMLElement} */ (this.cards[card]);
    const before = this.scene[card];
    this.scene[card] = lying;
    const isGone = lying.zone === "removed";
    const isSelected = card === view.selected, isHinted = view.hinted.includes(card);
    const face = lying.isUp ? (view.shown.faces[card] ?? null) : null;
    if (!this.differs(picture, [...Object.values(lying), face, isSelected, isHinted])) return;
    picture.hidden = !lying.isShown;
    if (!lying.isShown) return;
    const isSeen = lying.isFree || isGone;
    turn(picture, face, isSeen ? (this.isSmall ? "one" : "many") : "");
    const isMoved = before && (before.x !== lying.x || before.y !== lying.y || before.zone !== lying.zone);
    if (isMoved) this.raised += 1;
    const z = isGone ? (isMoved ? this.raised : Number(picture.dataset.z ?? 0)) : lying.z;
    picture.dataset.z = String(z);
    picture.classList.toggle("free", lying.isFree);
    picture.classList.toggle("selected", isSelected);
    picture.classList.toggle("hinted", isHinted);
    picture.classList.toggle("gone", isGone);
    if (!isGone) picture.classList.remove("buried");
    picture.style.zIndex = String(z);
    picture.style.translate = `${lying.x}px ${lying.y}px`;
    if (isMoved && duration && !isStill()) this.flights.push(() => fly(picture, before, lying, duration));
  }

  /** Return true if it looks differently now. @param {HTMLButtonElement} button @param {View} view */
  showButton(button, view) {
    const spot = spotOfButton(button);
    const { board } = view.shown;
    const card = cardAt(board, spot);
    const rect = rectOf(/** @type {Layout} */ (this.layout), board, spot);
    const isInGrid = spot.zone === "tableau" || spot.zone === "reserve";
    const covers = spot.zone === "tableau" ? coversOf(this.rules, board, spot.index) : [];
    const faces = [card, ...covers.map((place) => board.tableau[place] ?? -1)].map((one) => view.shown.faces[one]);
    const pressed = card >= 0 && spot.zone !== "removed" ? String(card === view.selected) : "";
    // In the grid a label says nothing but these faces.
    if (!this.differs(button, [...Object.values(rect), card, pressed, ...faces, isInGrid ? "" : view.label(spot)])) return false;
    Object.assign(button.style, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`, height: `${rect.height}px` });
    button.hidden = card < 0 && isInGrid;
    button.setAttribute("aria-label", view.label(spot));
    const state = isInGrid ? "aria-selected" : "aria-pressed";
    if (pressed) button.setAttribute(state, pressed);
    else button.removeAttribute(state);
    if (isInGrid) button.setAttribute("aria-disabled", String(covers.length > 0));
    return true;
  }

  /** Show the rows in which a place can be seen. */
  showRows() {
    for (const row of this.grid.children) /** @type {HTMLElement} */ (row).hidden = !row.querySelector(":scope > :not([hidden])");
    this.grid.hidden = this.piles.hidden = false;
  }

  /** Hide removed cards that others cover, because the browser would draw each of them in every frame. */
  bury() {
    const gone = this.cards.filter(({ classList }) => classList.contains("gone"));
    gone.sort((one, other) => Number(one.dataset.z) - Number(other.dataset.z));
    gone.forEach(({ classList }, index) => classList.toggle("buried", index < gone.length - UNBURIED));
  }

  /** @param {string} key @param {HTMLElement} slot @param {View} view */
  showSlot(key, slot, { shown: { board } }) {
    const button = /** @type {HTMLButtonElement} */ (this.buttons.get(key));
    const spot = spotOfButton(button);
    const rect = rectOf(/** @type {Layout} */ (this.layout), board, spot);
    const count = countOf(board, this.rules, spot);
    const isEmpty = cardAt(board, spot) < 0, canTurn = spot.zone === "stock" && !board.stock.length && board.recycles !== 0;
    if (!this.differs(slot, [...Object.values(rect), count, isEmpty, canTurn])) return;
    slot.style.transform = `translate(${rect.x}px, ${rect.y}px)`;
    slot.style.width = `${rect.width}px`;
    const element = slot.querySelector(".count");
    if (element) element.textContent = count;
    slot.classList.toggle("empty", isEmpty);
    slot.classList.toggle("turn", canTurn);
  }

  /** Keep one stop for Tab in the grid: where the focus was, or else the nearest free card. @param {View} view */
  keepFocus(view) {
    const button = this.buttons.get(this.focused);
    if (button && !button.hidden) return;
    const next = this.nearest(this.focused, (spot) => this.isFree(view.shown, spot)) ?? this.nearest(this.focused, () => true);
    if (!next) return;
    const hadFocus = document.activeElement === button || document.activeElement === document.body;
    this.focused = keyOf(next);
    const found = this.buttons.get(this.focused);
    if (found) found.tabIndex = 0;
    if (hadFocus && this.usesKeys) found?.focus();
  }

  /** True if the player has used keys last, so that the focus may be moved. */
  usesKeys = false;

  /** @param {Shown} shown @param {Spot} spot */
  isFree({ board }, spot) {
    const card = cardAt(board, spot);
    return card >= 0 && (this.scene[card]?.isFree ?? false);
  }

  /** Return the nearest visible place of the grid that passes. @param {string} from @param {(spot: Spot) => boolean} passes */
  nearest(from, passes) {
    const start = this.centre(from);
    const spots = this.gridSpots().filter(passes);
    const distance = (/** @type {Spot} */ spot) => Math.hypot(this.centre(keyOf(spot)).x - start.x, this.centre(keyOf(spot)).y - start.y);
    return spots.sort((one, other) => distance(one) - distance(other))[0] ?? null;
  }

  gridSpots() {
    return [...this.buttons.values()].filter((button) => !button.hidden && button.getAttribute("role") === "gridcell").map(spotOfButton);
  }

  /** @param {string} key */
  centre(key) {
    const { style } = this.buttons.get(key) ?? this.stage;
    return { x: parseFloat(style.left) + parseFloat(style.width) / 2, y: parseFloat(style.top) + parseFloat(style.height) / 2 };
  }

  /** Move the focus to a place. @param {Spot} spot */
  focus(spot) {
    this.buttons.get(keyOf(spot))?.focus();
  }

  /** @param {HTMLElement} button */
  noteFocus(button) {
    if (button.getAttribute("role") !== "gridcell") return;
    const earlier = this.buttons.get(this.focused);
    if (earlier) earlier.tabIndex = -1;
    this.focused = keyOf(spotOfButton(button));
    button.tabIndex = 0;
  }

  /** Shake a card that cannot be taken, and flash those that lie on it. @param {number} card @param {number[]} covers */
  refuse(card, covers) {
    const shake = [0, -4, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    const picture = this.cards[card];
    if (picture && !isStill()) move(picture, shake, { duration: MOTION.shake });
    for (const cover of covers) this.flash(cover);
  }

  /** @param {number} card */
  flash(card) {
    const picture = this.cards[card];
    picture?.classList.add("flash");
    setTimeout(() => picture?.classList.remove("flash"), MOTION.flash);
  }
}

/** @type {WeakMap<HTMLElement, Spot>} */
const spots = new WeakMap();

/** @param {HTMLElement} button */
export const spotOfButton = (button) => /** @type {Spot} */ (spots.get(button));

/** @param {import("./position.js").Board} board @param {Rules} rules @param {Spot} spot */
function countOf(board, rules, { zone, index }) {
  if (zone === "stock") return `${board.stock.length}${board.recycles ? ` ↻${board.recycles}` : ""}`;
  if (zone === "waste") return String(board.wastes[index]?.length ?? 0);
  if (zone !== "removed") return "";
  const inPlay = board.tableau.filter((card) => card >= 0).length + board.stock.length + [...board.wastes, ...board.reserve].flat().length + board.cells.length;
  return String(rules.decks * 52 - inPlay);
}
