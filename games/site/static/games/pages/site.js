// What every page loads: an old tab loads itself again, and the scripts of pages find what they share.
import "../dialogs.js";
import "../dom.js";
import "../http.js";
import "../offline/register.js";
import "../options.js";
import "../release.js";
import "../texts.js";
