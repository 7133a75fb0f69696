// Keeps the table for practice without a line, with its files, of one release. Nothing else is ever kept: no page of a
// player, no answer of the API. It also shows the notifications that reach this browser.
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

self.addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));

/** The page comes from the server, which is the only one who can encrypt for this browser. */
async function show({ title = "Pyramid", body = "", page = "/", tag = "", language = "" }) {
  await self.registration.showNotification(title, { body, tag, lang: language, icon: "{{ icon }}", badge: "{{ icon }}", data: { page } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.page));
});

/** Show a page in a window of this site that is open, or in a new one; a game that is being played is left alone. */
async function open(page) {
  const address = new URL(page, location.origin);
  if (address.origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find(({ url }) => url === address.href) ?? windows.find(({ url }) => !new URL(url).pathname.startsWith("/games/"));
  if (!there) await self.clients.openWindow(address.href);
  else if (there.url === address.href) await there.focus();
  else await (await there.navigate(address.href).catch(() => null) ?? (await self.clients.openWindow(address.href)))?.focus();
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** A push service has exchanged this browser's address: what its player chose goes on at the new one. */
async function renew({ oldSubscription, newSubscription }) {
  const settings = await fetch("/api/me/push/").then((answer) => answer.json());
  const device = settings.subscriptions?.find(({ endpoint }) => endpoint === oldSubscription?.endpoint);
  const token = (await self.cookieStore?.get("csrftoken"))?.value;
  if (!device || !token) return; // the switches of this browser are off until its player sets them again
  const key = { userVisibleOnly: true, applicationServerKey: settings.server_key };
  const { endpoint, keys } = (newSubscription ?? (await self.registration.pushManager.subscribe(key))).toJSON();
  const headers = { "X-CSRFToken": token, "content-type": "application/json" };
  await fetch(`/api/me/push/subscriptions/${device.id}/`, { method: "DELETE", headers });
  const body = JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, kinds: device.kinds });
  await fetch("/api/me/push/subscriptions/", { method: "POST", headers, body });
}
