/** Signs in texts, buttons and selects. */

import { h } from "./dom.js";

/** An emoji of the application: a small picture, read aloud by its name. */
export function ownEmoji(id, name) {
  // The bot adds to a name what tells one drawing from the next; nobody wants to hear that.
  const said = name.replace(/_[0-9a-f]{8}$/, "").replaceAll("_", " ");
  return h("img", { class: "sign", src: `/emojis/${id}.png`, alt: said, title: said, draggable: "false" });
}

/** What a button or an option has in front of its words: `{name}`, and `id` where it is the application's own. */
export function emoji(value) {
  if (!value) return null;
  return h("span", { class: "emoji", "aria-hidden": "true" }, value.id ? ownEmoji(value.id, value.name) : value.name);
}
