// The invite to a race stands behind the # of its link, where no server and no log sees it: it is put into the form.
import { byId } from "../dom.js";

const field = /** @type {HTMLInputElement} */ (byId("invite-field"));

function fill() {
  if (location.hash.length > 1) field.value = location.hash.slice(1);
}

addEventListener("hashchange", fill);
fill();
