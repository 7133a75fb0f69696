// Keeps the table for practice without a line, with its files, of one release. Nothing else is ever kept: no page of a
// player, no answer of the API.
const KEPT = "offline-{{ release }}";
const PAGE = "{{ page }}";
const FILES = new Set([{% for file in files %}"{{ file }}", {% endfor %}]);

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
  self.skipWaiting();
});

async function keep() {
  const kept = await caches.open(KEPT);
  await kept.addAll([new Request(PAGE, { cache: "reload" }), ...FILES]);
}

self.addEventListener("activate", (event) => event.waitUntil(forgetOlder()));

async function forgetOlder() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  await self.registration.navigationPreload?.enable(); // a page does not wait until this script runs
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageOf(event));
  else if (FILES.has(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

async function pageOf({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return caches.match(PAGE);
  }
}
