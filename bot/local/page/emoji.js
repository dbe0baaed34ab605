/** Emoji in texts, buttons and selects. */

import { h } from "./dom.js";

/** Return an emoji of the application, with its name for screen readers. */
export function ownEmoji(id, name) {
  // The bot adds a hash of the picture to the name.
  const title = name.replace(/_[0-9a-f]{8}$/, "").replaceAll("_", " ");
  return h("img", { class: "sign", src: `/emojis/${id}.png`, alt: title, title, draggable: "false" });
}

const KEYCAP = /([0-9#*])\uFE0F?\u20E3/;

/** Draw keycap emoji, as fonts render digits in text as plain digits. */
export function withKeycaps(text) {
  return text.split(KEYCAP).map((part, number) => (number % 2 ? h("span", { class: "keycap" }, part) : part)).filter(Boolean);
}

/** Return the emoji of a button or option: `{name}`, and `id` for one of the application. */
export function emoji(value) {
  if (!value) return null;
  return h("span", { class: "emoji", "aria-hidden": "true" }, value.id ? ownEmoji(value.id, value.name) : withKeycaps(value.name));
}
