// Requests to the API as the one who is signed in.

/** @param {string} name */
const cookie = (name) => document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

/** Return an answer's JSON, or null where it is refused. @param {string} address @param {string} [method] */
export async function request(address, method = "GET") {
  const headers = { Accept: "application/json", ...(method === "GET" ? {} : { "X-CSRFToken": cookie("csrftoken") }) };
  const answer = await fetch(address, { method, headers });
  if (!answer.ok) return null;
  return answer.status === 204 ? {} : answer.json();
}
