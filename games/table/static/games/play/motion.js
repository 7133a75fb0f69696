// How long things move, and moving them: never in the way of input.

/** Milliseconds. */
export const MOTION = { removal: 220, draw: 180, undo: 160, deal: 500, win: 1400, shake: 240, flash: 450 };

const STILL = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Return true if nothing may move: the system or the player wants it so. */
export const isStill = () => Boolean(STILL?.matches) || document.documentElement.dataset.motion === "off";

/** Call back in a task of its own after the next frame, or now where no frame comes. @param {() => void} callback */
export function afterFrame(callback) {
  if (document.hidden) callback();
  else requestAnimationFrame(() => setTimeout(callback));
}

/** @typedef {{ x: number, y: number }} Point */

/** The motions of now. To ask the browser for them would cost another style of the page. @type {Set<Animation>} */
const moving = new Set();

/** Move a picture. @param {HTMLElement} picture @param {Keyframe[]} path @param {KeyframeAnimationOptions} options */
export function move(picture, path, options) {
  const motion = picture.animate(path, options);
  moving.add(motion);
  motion.addEventListener("finish", () => moving.delete(motion));
  motion.addEventListener("cancel", () => moving.delete(motion));
  return motion;
}

/** Move a picture from where it was to where it is. @param {HTMLElement} picture @param {Point} from @param {Point} to @param {number} duration */
export function fly(picture, from, to, duration) {
  const path = [{ translate: `${from.x}px ${from.y}px`, zIndex: 1000 }, { translate: `${to.x}px ${to.y}px`, zIndex: 1000 }];
  return move(picture, path, { duration, easing: "cubic-bezier(.2, .7, .3, 1)" });
}

/** Deal cards out of one place, one after the other. @param {{ picture: HTMLElement, to: Point, at: number }[]} cards each with its place in the deal, from 0 to 1 @param {Point} from */
export function deal(cards, from) {
  if (isStill()) return;
  for (const { picture, to, at } of cards) {
    const start = { translate: `${from.x}px ${from.y}px`, opacity: 0 };
    move(picture, [start, { translate: `${to.x}px ${to.y}px`, opacity: 1 }], { duration: MOTION.deal / 2, delay: (at * MOTION.deal) / 2, fill: "backwards", easing: "ease-out" });
  }
}

/** Let the removed cards fly up and out, once: the game is won. Where nothing may move, they fade. @param {HTMLElement[]} pictures @param {{ width: number, height: number }} stage */
export function celebrate(pictures, { width, height }) {
  pictures.forEach((picture, index) => {
    const at = { translate: picture.style.translate, rotate: "0deg", opacity: 1, zIndex: 1000 };
    const side = pictures.length > 1 ? index / (pictures.length - 1) : 0.5; // from the left edge to the right
    const up = { translate: `${side * width}px ${-height * (0.2 + 0.25 * ((index * 7) % 5) / 4)}px`, rotate: `${(side - 0.5) * 220}deg` };
    const flight = isStill()
      ? move(picture, [at, { ...at, opacity: 0 }], { duration: MOTION.win / 2 })
      : move(picture, [at, { ...at, ...up }], { duration: MOTION.win * 0.7, delay: index * 8, easing: "cubic-bezier(.3, 0, .4, 1)" });
    picture.classList.add("risen");
    flight.onfinish = () => picture.classList.remove("risen");
  });
}

/** End every movement at once: the player goes on. What the style sheet moves goes on; a ring around a hint never ends. */
export function skip() {
  for (const motion of moving) motion.finish();
  moving.clear();
}
