// Requests to the API as the one who is signed in.
import { gettext } from "./texts.js";

const JSON_TYPE = "application/json";
const PATIENCE = 20_000; // milliseconds: what is not answered by then is lost

/** @param {string} name */
const cookie = (name) => document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

/** Return an answer's JSON, or null where it is refused. @param {string} address @param {string} [method] */
export async function request(address, method = "GET") {
  const answer = await ask(address, method);
  if (!answer.ok) return null;
  return answer.status === 204 ? {} : answer.json();
}

/** Send something, and return "" or why it was refused, as a sentence. @param {string} address @param {object} body */
export const send = async (address, body) => (await submit(address, body)).message;

/** Send something, and return the answer's JSON, and "" or why it was refused, as a sentence. @param {string} address @param {object} body */
export async function submit(address, body) {
  const answer = await ask(address, "POST", JSON.stringify(body)).catch(() => null);
  const json = await answer?.json().catch(() => null);
  return { json, message: answer?.ok && json ? "" : sentence(json?.message ?? gettext("The server cannot be reached right now.")) };
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");

/** @param {string} address @param {string} method @param {string} [body] */
function ask(address, method, body) {
  const headers = new Headers({ Accept: JSON_TYPE });
  if (method !== "GET") headers.set("X-CSRFToken", cookie("csrftoken"));
  if (body !== undefined) headers.set("content-type", JSON_TYPE);
  const given = new AbortController();
  setTimeout(() => given.abort(), PATIENCE);
  return fetch(address, { method, headers, body, signal: given.signal, keepalive: method !== "GET" }); // sent even if the page is left
}
