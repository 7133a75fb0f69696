// Switches for the notifications that reach this browser. Permission is asked for by the first switch, never before.
import { byId, say } from "../dom.js";
import { request, send } from "../http.js";
import { register } from "../offline/register.js";
import { dataOf, gettext } from "../texts.js";

/** @typedef {{ id: number, endpoint: string, kinds: string[] }} Device */
/** @typedef {{ server_key: string, subscriptions: Device[] }} Settings */

const SETTINGS = "/api/me/push/";
const DEVICES = "/api/me/push/subscriptions/";

/** @type {Settings} */
let settings = dataOf("push-settings");
/** @type {PushManager | undefined} */
let manager;
const note = byId("push-note");
const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-push]"));

/** Return why this browser cannot get notifications, or "". */
function obstacle() {
  const isApple = /iPad|iPhone/.test(navigator.userAgent) || (navigator.userAgent.includes("Mac") && navigator.maxTouchPoints > 1);
  if (!isSecureContext) return gettext("Notifications need a secure connection (https).");
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return Notification.permission === "denied" ? blocked() : "";
  if (isApple) return gettext("An iPhone or iPad gets notifications only once this site is on its home screen: tap Share, then Add to Home Screen, and open it from there.");
  return gettext("This browser cannot get notifications.");
}

const blocked = () => gettext("You have blocked notifications of this site. The browser's settings for this site can allow them again.");

const subscribed = () => manager?.getSubscription() ?? Promise.resolve(null);

/** @param {PushSubscription | null} subscription */
const deviceOf = (subscription) => settings.subscriptions.find(({ endpoint }) => endpoint === subscription?.endpoint);

/** Show what arrives here, and which of the devices in the list this is. */
async function show() {
  const device = deviceOf(await subscribed());
  for (const box of boxes) box.checked = device?.kinds.includes(box.dataset.push ?? "") ?? false;
  for (const mark of document.querySelectorAll("[data-device]")) {
    /** @type {HTMLElement} */ (mark).hidden = /** @type {HTMLElement} */ (mark).dataset.device !== String(device?.id);
  }
}

/** @param {boolean} isEnabled */
function enable(isEnabled) {
  for (const box of boxes) box.disabled = !isEnabled;
}

/** Return a subscription that our key can send to. */
async function subscribe() {
  const old = await subscribed();
  if (old && deviceOf(old)) return old;
  await old?.unsubscribe(); // made with a former key, or for somebody else
  return manager?.subscribe({ userVisibleOnly: true, applicationServerKey: settings.server_key });
}

/** Have this browser get some kinds, and return "" or why it does not. @param {string[]} kinds */
async function choose(kinds) {
  if ((await Notification.requestPermission()) !== "granted") return Notification.permission === "denied" ? blocked() : gettext("Notifications stay off until you allow them.");
  const subscription = await subscribe().catch(() => null);
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  if (!endpoint || !keys) return gettext("The browser could not reach its push service. Try again later.");
  return send(DEVICES, { endpoint, p256dh: keys.p256dh, auth: keys.auth, kinds, time_zone: zone() });
}

/** End notifications here, and return "" or why that failed. */
async function stop() {
  const subscription = await subscribed();
  const device = deviceOf(subscription);
  if (device && !(await request(`${DEVICES}${device.id}/`, "DELETE"))) return gettext("The server cannot be reached right now.");
  await subscription?.unsubscribe();
  return "";
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

async function change() {
  const kinds = [...boxes].filter(({ checked }) => checked).map((box) => box.dataset.push ?? "");
  enable(false);
  const refusal = await (kinds.length ? choose(kinds) : stop());
  settings = (await request(SETTINGS).catch(() => null)) ?? settings;
  await show();
  say(note, refusal || gettext("Saved."));
  enable(!obstacle());
}

async function begin() {
  const time = /** @type {HTMLInputElement} */ (byId("time-zone"));
  time.value ||= zone();
  say(note, obstacle());
  if (obstacle()) return;
  manager = (await register())?.pushManager;
  if (!manager) return say(note, gettext("This browser cannot get notifications."));
  await show();
  for (const box of boxes) box.addEventListener("change", change);
  enable(true);
}

begin();
