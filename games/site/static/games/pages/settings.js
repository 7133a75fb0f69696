// The settings: each is kept as soon as it is chosen. Before this script has run, they cannot be chosen.
import { byId, say } from "../dom.js";
import { options, setOption } from "../options.js";
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
for (const element of document.querySelectorAll("[name=scheme]")) {
  const choice = /** @type {HTMLInputElement} */ (element);
  if (choice.value) choice.checked = options().has(/** @type {Option} */ (choice.value));
  choice.disabled = false;
  choice.addEventListener("change", () => {
    setOption("light", choice.value === "light");
    setOption("dark", choice.value === "dark");
    kept();
  });
}
