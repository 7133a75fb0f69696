// How a finished game stands among those of others, as REST tells it. What cannot be had is null.

/** @typedef {{ rank: number, of: number }} Place */
/** @typedef {{ start: number, width: number, counts: number[] }} Spread bar i counts from `start + i * width` on */

const BARS = 12;

/** Return a place, null where there is none, undefined while the server does not say. @param {string} board @param {string} handle @returns {Promise<Place | null | undefined>} */
export async function fetchPlace(board, handle) {
  const [standing, table] = await Promise.all([getJson(`/api/boards/${board}/players/${handle}/`), getJson(`/api/boards/${board}/?limit=1`)]);
  return standing && table && { rank: standing.row.rank, of: table.count };
}

/** Return how many moves the wins on a board took. @param {string} board @returns {Promise<Spread | null>} */
export async function fetchSpread(board) {
  const spread = await getJson(`/api/boards/${board}/histogram/?field=moves&won=true&bins=${BARS}`);
  return spread?.counts.length ? spread : null;
}

/** Return the fewest moves that win a deal. @param {string} deal @returns {Promise<number | null>} */
export async function fetchPar(deal) {
  return (await getJson(`/api/deals/${deal}/`))?.par ?? null;
}

/** @param {string} game @returns {Promise<import("./shades.js").Shades | null>} */
export const fetchShades = async (game) => (await getJson(`/api/games/${game}/shades/`)) ?? null;

/** Return true if a value is counted in a bar. @param {Spread} spread @param {number} bar @param {number} value */
export const isBar = ({ start, width }, bar, value) => Math.floor((value - start) / width) === bar;

/** @param {string} address */
async function getJson(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (answer.ok) return await answer.json();
    return answer.status === 429 || answer.status >= 500 ? undefined : null;
  } catch {
    return undefined;
  }
}
