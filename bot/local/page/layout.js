/** Messages made of layout components. */

import { h } from "./dom.js";
import { row, usable } from "./components.js";
import { markdown } from "./markdown.js";
import { file, picture, pictures } from "./media.js";
import { names } from "./state.js";

const FLAG = 1 << 15;
const ACTION_ROW = 1;
const SECTION = 9;
const TEXT_DISPLAY = 10;
const THUMBNAIL = 11;
const MEDIA_GALLERY = 12;
const FILE = 13;
const SEPARATOR = 14;
const CONTAINER = 17;
const LARGE = 2;

/** Whether a message has only layout components, no content or embeds. */
export const isLayout = (message) => (message.flags & FLAG) !== 0;

/** Return all texts of a layout, in reading order. */
export function texts(parts) {
  return parts.flatMap((part) => (part.type === TEXT_DISPLAY ? [part.content] : texts(part.components ?? [])));
}

/** Return a layout; its buttons and selects call `actions`. */
export function layout(message, actions) {
  return h("div", { class: "layout", dataset: { testid: "layout" } }, message.components.map((part) => draw(part, message, actions)));
}

function draw(part, message, actions) {
  const children = () => part.components.map((each) => draw(each, message, actions));
  switch (part.type) {
    case CONTAINER:
      return h("div", { class: "container", style: { "--bar": colour(part.accent_color) }, dataset: { testid: "container" } }, children());
    case SECTION:
      return h("div", { class: "section" }, h("div", { class: "section-texts" }, children()), draw(part.accessory, message, actions));
    case TEXT_DISPLAY:
      return text(part.content);
    case THUMBNAIL:
      return picture({ ...part.media, description: part.description }, "thumbnail");
    case MEDIA_GALLERY:
      return pictures(part.items.map((item) => ({ ...item.media, description: item.description })));
    case FILE:
      return file({ ...part.file, name: part.name, size: part.size });
    case SEPARATOR:
      return h(part.divider === false ? "div" : "hr", { class: part.spacing === LARGE ? "apart large" : "apart" });
    case ACTION_ROW:
      return row(part, message, actions);
    default:
      return usable(part, message, actions);
  }
}

function text(content) {
  const node = h("div", { class: "text", dataset: { testid: "content" } });
  node.append(markdown(content, names));
  return node;
}

const colour = (value) => (value === undefined || value === null ? null : `#${value.toString(16).padStart(6, "0")}`);
