// A cup that lives: its part of the page is read again every few seconds while it is looked at, until the cup is over.
const PAUSE_MS = 3000;

function renew() {
  const asked = new XMLHttpRequest();
  asked.open("GET", location.href);
  asked.responseType = "document"; // parsed by the browser, which takes no markup from scripts
  asked.addEventListener("load", () => show(asked.response?.getElementById("cup-live")));
  asked.addEventListener("loadend", later); // after a failure too
  asked.send();
}

function later() {
  const isOver = document.getElementById("cup-live")?.dataset.state === "ended";
  if (!isOver) setTimeout(() => (document.hidden ? later() : renew()), PAUSE_MS);
}

/** Show a newer part of the page, unless someone is at a link in it by keyboard. @param {HTMLElement | null | undefined} fresh */
function show(fresh) {
  const live = document.getElementById("cup-live");
  if (live && fresh && live.innerHTML !== fresh.innerHTML && !live.contains(document.activeElement)) live.replaceWith(fresh);
}

later();
