// What a player chose for the look of things. It is kept in a cookie, so that the server draws the first page right.

/** @typedef {"large" | "four" | "mirrored" | "kings" | "noclock" | "still" | "noletters" | "light" | "dark" | "papyrus" | "plain"} Option */

const NAME = "pyramid_options", YEAR = 365 * 24 * 60 * 60;
const VOLUME = "volume"; // with a number behind it, from 1 to 10
/** @type {Option[]} */
const THEMES = ["papyrus", "plain"];
/** Of each group at most one is chosen. @type {Option[][]} */
const GROUPS = [["light", "dark"], THEMES];

/** @returns {Set<Option>} */
export function options() {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${NAME}=`));
  return new Set(/** @type {Option[]} */ ((found?.slice(NAME.length + 1) ?? "").split(".").filter(Boolean)));
}

/** Return true if this page is drawn with an option. The page says so at once; to read a cookie, it has to wait for the browser. @param {Option} option */
export const isDrawnWith = (option) => (document.documentElement.dataset.options ?? "").split(" ").includes(option);

/** Choose or drop an option, here and on every later page. @param {Option} option @param {boolean} isChosen */
export function setOption(option, isChosen) {
  const chosen = options();
  const group = GROUPS.find((one) => one.includes(option)) ?? [option];
  for (const other of group) if (isChosen || other === option) chosen.delete(other);
  if (isChosen) chosen.add(option);
  keep(chosen);
}

/** Return how loud sounds are, from 0 (none, unless the player wants some) to 10. */
export const volume = () => Number([...options()].find((option) => option.startsWith(VOLUME))?.slice(VOLUME.length) ?? 0);

/** @param {number} loudness */
export function setVolume(loudness) {
  const others = [...options()].filter((option) => !option.startsWith(VOLUME));
  keep(new Set(loudness ? [...others, /** @type {Option} */ (`${VOLUME}${loudness}`)] : others));
}

/** @param {Set<Option>} chosen */
function keep(chosen) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${NAME}=${[...chosen].join(".")}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
  showOptions(chosen);
}

/** Have the page look as it was chosen. */
export function showOptions(chosen = options()) {
  const { dataset } = document.documentElement;
  dataset.options = [...chosen].join(" ");
  dataset.theme = THEMES.find((theme) => chosen.has(theme)) ?? "";
  dataset.motion = chosen.has("still") ? "off" : "";
  dispatchEvent(new Event("options"));
}
