// Counts down to the boundaries of the daily deals, by the server's clock.
const today = document.querySelector("#today");
const serverAhead = Date.parse(today.dataset.serverNow) - Date.now();

function clock(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Return the state at a time, and what is left of it in words. */
function describe({ closesAt, finishBy }, now) {
  const toClose = Date.parse(closesAt) - now;
  const toFinish = Date.parse(finishBy) - now;
  if (toClose > 0) return ["open", `closes in ${clock(toClose)}`];
  if (toFinish > 0) return ["closing", `games end in ${clock(toFinish)}`];
  return ["closed", "the deal is revealed"];
}

function show(countdown, now) {
  const [state, left] = describe(countdown.dataset, now);
  const badge = countdown.querySelector(".state");
  if (badge.dataset.state === "open" && state !== "open") today.querySelector(".new-day").hidden = false;
  badge.dataset.state = state;
  badge.textContent = state[0].toUpperCase() + state.slice(1);
  countdown.querySelector(".left").textContent = left;
}

function tick() {
  const now = Date.now() + serverAhead;
  today.querySelectorAll(".countdown").forEach((countdown) => show(countdown, now));
  setTimeout(tick, 1000 - (now % 1000));
}

tick();
