// Finding and making elements, with types.

/** Return the element of an id. Throws if the page lacks it. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {string} id */
export const dialogOf = (id) => /** @type {HTMLDialogElement} */ (byId(id));

/** Change a text only when it says something new: a screen reader reads out every change. @param {Element | null} element @param {string} text */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Have a screen reader read out a text that was asked for, even where it is the one of before: a space makes it a change. @param {Element} element @param {string} text */
export function readOut(element, text) {
  element.textContent = element.textContent === text ? `${text}\u00a0` : text;
}

/** @param {string} name @param {string} className @param {...(string | Node)} content */
export function make(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/** Return a name as tables show it, isolated from the handle that tells shared names apart. @param {string} name @param {string} handle */
export function listed(name, handle) {
  const added = ` (${handle})`;
  if (!name.endsWith(added)) return [make("bdi", "", name)];
  return [make("bdi", "", name.slice(0, -added.length)), added];
}
