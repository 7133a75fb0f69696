// Has the browser keep the table for practice without a line, once the page has been there for a moment.
const AFTER = 5000;
const ADDRESS = "/service-worker.js";

/** @type {Promise<ServiceWorkerRegistration | null> | undefined} */
let registration;

/** The one address that may become a script here. @param {string} address */
const checked = (address) => {
  if (address !== ADDRESS) throw new Error(`not the service worker: ${address}`);
  return address;
};

/** Register the service worker, once, and return its registration, or null where the browser refuses. */
export function register() {
  return (registration ??= ask());
}

async function ask() {
  const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("service-worker", { createScriptURL: checked });
  return navigator.serviceWorker.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS).catch(() => null);
}

if ("serviceWorker" in navigator) setTimeout(register, AFTER);
