/** Signs in texts, buttons and selects. */

import { h } from "./dom.js";

/** An emoji of the application: a small picture, read aloud by its name. */
export function ownEmoji(id, name) {
  // The bot adds to a name what tells one drawing from the next; nobody wants to hear that.
  const said = name.replace(/_[0-9a-f]{8}$/, "").replaceAll("_", " ");
  return h("img", { class: "sign", src: `/emojis/${id}.png`, alt: said, title: said, draggable: "false" });
}

const KEYCAP = /([0-9#*])\uFE0F?\u20E3/;

/** Text with its keycaps drawn: no font makes one of a digit that stands in text. */
export function withKeycaps(text) {
  return text.split(KEYCAP).map((part, number) => (number % 2 ? h("span", { class: "keycap" }, part) : part)).filter(Boolean);
}

/** What a button or an option has in front of its words: `{name}`, and `id` where it is the application's own. */
export function emoji(value) {
  if (!value) return null;
  return h("span", { class: "emoji", "aria-hidden": "true" }, value.id ? ownEmoji(value.id, value.name) : withKeycaps(value.name));
}
