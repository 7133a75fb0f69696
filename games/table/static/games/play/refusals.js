// Why the server refused a command, in the page's language. Its own messages are English, for programs.
import { gettext } from "../texts.js";

/** @type {Record<string, string>} by code */
const REASONS = {
  bad_message: gettext("The page and the server do not understand each other. Reload the page."),
  conflict: gettext("The game was changed elsewhere at the same moment. Try again."),
  game_over: gettext("The game has ended."),
  hints_not_allowed: gettext("This game has no hints."),
  illegal_move: gettext("The rules do not allow that here."),
  not_begun: gettext("The game has not begun."),
  not_yours: gettext("You are watching this game. Only its player can do that."),
  restart_not_allowed: gettext("This game cannot be played again from the start."),
  too_many_actions: gettext("This game has had too many moves. You can only give it up."),
  undo_not_allowed: gettext("This game has no undo."),
};

/** Return the reason for a refusal; the server's own words where the code is a new one. @param {{ code: string, message: string }} refused */
export const reasonOf = ({ code, message }) => REASONS[code] ?? message;
