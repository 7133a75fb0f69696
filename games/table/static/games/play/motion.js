// How long things move, and moving them: transform and opacity only, never in the way of input.

/** Milliseconds. */
export const MOTION = { removal: 220, draw: 180, undo: 160, deal: 500, win: 1400, shake: 240, flash: 450 };

const STILL = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Return true if nothing may move: the system or the player wants it so. */
export const isStill = () => Boolean(STILL?.matches) || document.documentElement.dataset.motion === "off";

/** @typedef {{ x: number, y: number }} Point */

/** Move a picture from where it was to where it is. @param {HTMLElement} picture @param {Point} from @param {Point} to @param {number} duration */
export function fly(picture, from, to, duration) {
  const path = [{ transform: `translate(${from.x}px, ${from.y}px)`, zIndex: 1000 }, { transform: `translate(${to.x}px, ${to.y}px)`, zIndex: 1000 }];
  return picture.animate(path, { duration, easing: "cubic-bezier(.2, .7, .3, 1)" });
}

/** Deal the cards out of one place, one after the other. @param {HTMLElement[]} pictures in the order of the deal @param {Point} from */
export function deal(pictures, from) {
  if (isStill()) return;
  const each = MOTION.deal / 2 / Math.max(1, pictures.length);
  pictures.forEach((picture, index) => {
    const start = { transform: `translate(${from.x}px, ${from.y}px)`, opacity: 0 };
    picture.animate([start, { transform: picture.style.transform, opacity: 1 }], { duration: MOTION.deal / 2, delay: index * each, fill: "backwards", easing: "ease-out" });
  });
}

/** Let the removed cards rise like a fountain: the game is won. @param {HTMLElement[]} pictures @param {{ width: number, height: number }} stage */
export function celebrate(pictures, { width, height }) {
  if (isStill()) return;
  pictures.forEach((picture, index) => {
    const angle = (index / pictures.length) * Math.PI * 2;
    const far = `translate(${width / 2 + Math.cos(angle) * width * 0.45}px, ${height / 2.6 + Math.sin(angle) * height * 0.32}px) rotate(${angle}rad)`;
    const path = [{ transform: picture.style.transform }, { transform: far, offset: 0.55 }, { transform: picture.style.transform }];
    picture.animate(path, { duration: MOTION.win, delay: index * 6, easing: "ease-in-out" });
  });
}

/** End every movement at once: the player goes on. What the style sheet moves goes on; a ring around a hint never ends. @param {HTMLElement} stage */
export function skip(stage) {
  for (const animation of stage.getAnimations({ subtree: true })) {
    if (!(animation instanceof CSSTransition || animation instanceof CSSAnimation)) animation.finish();
  }
}
