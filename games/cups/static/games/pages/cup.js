// A cup that lives: its part of the page is read again every few seconds.
const PAUSE_MS = 3000;
const states = new DOMParser();

async function renew() {
  const live = document.getElementById("cup-live");
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const fresh = answer.ok ? states.parseFromString(await answer.text(), "text/html").getElementById("cup-live") : null;
    if (live && fresh && live.innerHTML !== fresh.innerHTML && !live.contains(document.activeElement)) live.replaceWith(fresh);
  } catch {
    // The next time will do: the page shows what it knew last.
  }
  setTimeout(renew, PAUSE_MS);
}

setTimeout(renew, PAUSE_MS);
