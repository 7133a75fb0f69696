// What a player chose for the look of things. It is kept in a cookie, so that the server draws the first page right.

/** @typedef {"large" | "four" | "mirrored" | "sounds" | "still" | "noletters" | "light" | "dark"} Option */

const NAME = "pyramid_options", YEAR = 365 * 24 * 60 * 60;

/** @returns {Set<Option>} */
export function options() {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${NAME}=`));
  return new Set(/** @type {Option[]} */ ((found?.slice(NAME.length + 1) ?? "").split(".").filter(Boolean)));
}

/** Choose or drop an option, here and on every later page. @param {Option} option @param {boolean} isChosen */
export function setOption(option, isChosen) {
  const chosen = options();
  if (isChosen) chosen.add(option);
  else chosen.delete(option);
  if (isChosen && option === "light") chosen.delete("dark");
  if (isChosen && option === "dark") chosen.delete("light");
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${NAME}=${[...chosen].join(".")}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
  show(chosen);
}

/** @param {Set<Option>} chosen */
function show(chosen) {
  const { dataset } = document.documentElement;
  dataset.options = [...chosen].join(" ");
  dataset.motion = chosen.has("still") ? "off" : "";
  dispatchEvent(new Event("options"));
}
