/** Helpers to build elements; text is never parsed as HTML. */

/** Create an element: `h("button", {class: "x", onclick}, "Text", child)`. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "style") for (const [k, v] of Object.entries(value)) element.style.setProperty(k, v);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const $ = (id) => document.getElementById(id);

const ICONS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  hash: "M5 9h15M4 15h15M10 4 8 20M16 4l-2 16",
  thread: "M4 5h16v10H11l-4 4v-4H4z",
  dm: "M4 6h16v12H4zM4 7l8 6 8-6",
  tab: "M14 5h5v5M19 5l-8 8M18 14v5H5V6h5",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
  archive: "M4 5h16v4H4zM5.500 9v10h13V9M10 13h4",
  close: "M6 6l12 12M18 6 6 18",
  down: "M6 9l6 6 6-6",
  check: "M5 12.500l4.500 4.500L19 7.500",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  send: "M4 12 20 5l-5 15-3.500-6z",
  reply: "M9 7 4 12l5 5M4 12h9c4 0 7 2 7 6",
  file: "M7 3h7l5 5v13H7zM14 3v5h5",
  link: "M14 5h5v5M19 5l-8 8M18 14v5H5V6h5",
};

/** Return a line icon, hidden from screen readers. */
export function icon(name) {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Return a circle with a user's initials, or the bot's icon. */
export function avatar(user, size = "") {
  const initials = (user?.name ?? "?").split(/\s+/).map((word) => word[0]).join("").slice(0, 2).toUpperCase();
  const classes = ["avatar", size, user?.bot ? "bot" : ""].filter(Boolean).join(" ");
  return h("span", { class: classes, style: { "--colour": user?.colour ?? "#7aa2c8" }, "aria-hidden": "true" }, user?.bot ? boat() : initials);
}

function boat() {
  return h("img", { src: "/page/static/icon.svg", alt: "" });
}

/** Show a short-lived message at the edge of the page. */
export function toast(text) {
  const note = h("div", { class: "toast" }, text);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}
