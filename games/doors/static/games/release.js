// An old tab after an upgrade: the page learns that the server has newer files, and loads itself again once nothing is
// under way and nobody is at it.
const IDLE_FOR = 10_000, LOOK_EVERY = 1000, LEAST_BETWEEN = 5000;
const RELOADED = "pyramid_reloaded_for";

/** @type {(() => boolean)[]} */
const reasonsToWait = [];
let lastInput = performance.now(), lastAsked = -Infinity, newest = "";

/** Have the page wait as long as something is under way. @param {() => boolean} isUnderWay */
export function waitWhile(isUnderWay) {
  reasonsToWait.push(isUnderWay);
}

/** Ask the server which files it has now. Called when the page is looked at again, or its line has come back. */
export async function checkRelease() {
  if (newest || performance.now() - lastAsked < LEAST_BETWEEN) return;
  lastAsked = performance.now();
  const answer = await fetch("/release/", { headers: { Accept: "application/json" } }).catch(() => null);
  const told = answer?.ok ? (await answer.json()).release : "";
  if (!told || told === document.documentElement.dataset.release || wasReloadedFor(told)) return;
  newest = told;
  setInterval(reloadWhenIdle, LOOK_EVERY);
}

function reloadWhenIdle() {
  const isIdle = document.hidden || performance.now() - lastInput >= IDLE_FOR;
  if (!isIdle || hasUnsentText() || document.querySelector("dialog[open]") || reasonsToWait.some((isUnderWay) => isUnderWay())) return;
  try {
    sessionStorage.setItem(RELOADED, newest); // of servers with different files one reload is enough
  } catch {
    return; // without storage it might never end
  }
  location.reload();
}

/** @param {string} release */
function wasReloadedFor(release) {
  try {
    return sessionStorage.getItem(RELOADED) === release;
  } catch {
    return true;
  }
}

function hasUnsentText() {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("form input, form textarea"));
  return [...fields].some((field) => field.type !== "hidden" && field.value !== field.defaultValue);
}

for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  addEventListener(type, () => (lastInput = performance.now()), { passive: true, capture: true });
}
for (const type of ["visibilitychange", "online"]) {
  addEventListener(type, () => document.hidden || checkRelease(), { capture: true });
}
addEventListener("pageshow", ({ persisted }) => persisted && checkRelease());
