/** Texts of the static parts of the page. */

import { msg, say } from "./words.js";

const LABEL = "aria-label";
const FRAME = [
  [".skip", null, msg("Skip to the message box")],
  ["#sidebar", LABEL, msg("Channels and people")],
  ["#channels", LABEL, msg("Channels")],
  ["#settings", LABEL, msg("Settings")],
  [".drawer-people", LABEL, msg("Play as")],
  [".drawer-people h2", null, msg("Play as")],
  ["#scrim", LABEL, msg("Close the channel list")],
  ["#menu", LABEL, msg("Channels")],
  ["#people", LABEL, msg("Play as")],
  ["#offline", null, msg("Not connected. Trying again…")],
  ["#scroll", LABEL, msg("Messages")],
  ["#jump", null, msg("New messages ↓")],
  ["#lightbox", LABEL, msg("Picture")],
];

/** Set the texts in the current language. */
export function drawFrame() {
  for (const [selector, attribute, text] of FRAME) {
    const part = document.querySelector(selector);
    if (attribute) part.setAttribute(attribute, say(text));
    else part.textContent = say(text);
  }
}
