// Buttons for passkeys: ask the server what to ask the device, ask the device, and send its answer.
import { say } from "../dom.js";
import { gettext } from "../texts.js";

const OPTIONS = "/account/passkeys/options/";

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

/** @param {ArrayBuffer | null} bytes */
const textOf = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes ?? []))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** @param {{ id: string, type: "public-key" }} known */
const described = ({ id, type }) => ({ id: bytesOf(id), type });

/** Have the device make a passkey, and return what the server needs of it. @param {any} options */
async function make(options) {
  const publicKey = { ...options, challenge: bytesOf(options.challenge), user: { ...options.user, id: bytesOf(options.user.id) }, excludeCredentials: options.excludeCredentials.map(described) };
  const made = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }));
  const { clientDataJSON, attestationObject } = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return answer(made, { clientDataJSON: textOf(clientDataJSON), attestationObject: textOf(attestationObject) });
}

/** Have the device use a passkey, and return what the server needs of it. @param {any} options */
async function use(options) {
  const publicKey = { ...options, challenge: bytesOf(options.challenge), allowCredentials: options.allowCredentials?.map(described) };
  const used = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return answer(used, { clientDataJSON: textOf(clientDataJSON), authenticatorData: textOf(authenticatorData), signature: textOf(signature), userHandle: textOf(userHandle) });
}

/** @param {PublicKeyCredential} credential @param {Record<string, string>} response */
const answer = ({ id, type }, response) => JSON.stringify({ id, rawId: id, type, response });

/** Return why a device has not made or used a passkey. @param {unknown} error */
function reason(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError") return gettext("This device has a passkey of your account already.");
  if (name === "NotAllowedError" || name === "AbortError") return gettext("It was cancelled, or it took too long. Try again.");
  return gettext("The browser or the device refuses passkeys here.");
}

/** Send the forms of a page, and return what to ask the device, or why not. @param {HTMLFormElement} form */
async function asked(form) {
  const { passkey: ceremony = "", fields } = form.dataset;
  const body = new FormData(form);
  const other = fields ? document.querySelector(fields) : null;
  for (const [name, value] of other instanceof HTMLFormElement ? new FormData(other) : []) if (!body.has(name)) body.set(name, value);
  body.set("ceremony", ceremony);
  const got = await fetch(OPTIONS, { method: "POST", body }).catch(() => null);
  const options = await got?.json().catch(() => null);
  return { options: got?.ok ? options : null, message: options?.message ?? gettext("The server cannot be reached right now.") };
}

/** Say why there is no button, or why it did not work. @param {HTMLElement | null} note @param {string} text */
function explain(note, text) {
  if (note) note.hidden = !text;
  say(note, text);
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} note */
async function press(form, note) {
  explain(note, "");
  const { options, message } = await asked(form);
  if (!options) return explain(note, message);
  try {
    /** @type {HTMLInputElement} */ (form.elements.namedItem("answer")).value = await (options.user ? make : use)(options);
    form.submit();
  } catch (error) {
    explain(note, reason(error));
  }
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-passkey]"))) {
  const [button, note] = [form.querySelector("button"), /** @type {HTMLElement | null} */ (form.querySelector("[role=alert]"))];
  if (!("PublicKeyCredential" in globalThis)) explain(note, gettext("This browser cannot use passkeys."));
  else if (button) {
    button.hidden = false;
    button.addEventListener("click", () => press(form, note));
    form.addEventListener("submit", (event) => event.preventDefault()); // Enter in the field of the name
  }
}
