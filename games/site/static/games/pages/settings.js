// The settings: each is kept as soon as it is chosen. Before this script has run, they cannot be chosen.
import { byId, say } from "../dom.js";
import { options, setOption, setVolume, volume } from "../options.js";
import { play } from "../play/sounds.js";
import { gettext } from "../texts.js";

/** @typedef {import("../options.js").Option} Option */

function kept() {
  say(byId("saved"), document.cookie.includes("pyramid_options=") ? gettext("Saved.") : gettext("This browser blocks cookies, so nothing could be saved."));
}

for (const element of document.querySelectorAll("[data-option]")) {
  const box = /** @type {HTMLInputElement} */ (element);
  const option = /** @type {Option} */ (box.dataset.option);
  box.checked = options().has(option);
  box.disabled = false;
  box.addEventListener("change", () => {
    setOption(option, box.checked);
    kept();
  });
}
/** Wire radio buttons of which each but the first is an option. @param {string} name */
function wireChoice(name) {
  const choices = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`[name=${name}]`));
  for (const choice of choices) {
    const option = /** @type {Option} */ (choice.value);
    if (option) choice.checked = options().has(option);
    choice.disabled = false;
    choice.addEventListener("change", () => {
      for (const { value } of choices) if (value) setOption(/** @type {Option} */ (value), value === option);
      kept();
    });
  }
}

wireChoice("theme");
wireChoice("scheme");

const slider = /** @type {HTMLInputElement} */ (byId("volume"));

function showVolume() {
  const text = volume() ? String(volume()) : gettext("off");
  slider.setAttribute("aria-valuetext", text);
  say(byId("loudness"), text);
}

slider.value = String(volume());
slider.disabled = false;
slider.addEventListener("input", () => {
  setVolume(Number(slider.value));
  showVolume();
});
slider.addEventListener("change", () => {
  play("remove"); // so loud it is
  kept();
});
showVolume();
