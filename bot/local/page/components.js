/** Buttons and selects under a message. */

import { h, icon } from "./dom.js";
import { emoji } from "./emoji.js";
import { texts } from "./layout.js";
import { channelOfLink, me, state } from "./state.js";
import { say } from "./words.js";

const BUTTON = 2;
const STRING_SELECT = 3;
const CHANNEL_SELECT = 8;
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

/** Return the rows of a message; they call `actions.press` and `actions.select`. */
export function components(message, actions) {
  if (!message.components.length) return null;
  return h("div", { class: "rows" }, message.components.map((part) => row(part, message, actions)));
}

/** Return a row of buttons or with a select. */
export function row(part, message, actions) {
  return h("div", { class: "row" }, part.components.filter((each) => isForMe(each, part, message)).map((each) => usable(each, message, actions)));
}

/** Hide a lobby's "Join" button from its players, and "Leave" from others. */
function isForMe(each, part, message) {
  const ids = part.components.map((one) => one.custom_id ?? "");
  if (!["join:", "leave:"].every((verb) => ids.some((id) => id.startsWith(verb)))) return true;
  const lines = texts(message.components).flatMap((text) => text.split("\n"));
  const sits = lines.some((line) => line.match(/^\d+\. \*\*(.+?)\*\*/)?.[1] === me().name);
  return !each.custom_id?.startsWith(sits ? "join:" : "leave:");
}

/** Return a button or select. */
export function usable(part, message, actions) {
  if (part.type === BUTTON) return button(part, message, actions);
  const chosen = select(part, async (values) => {
    const head = chosen.querySelector(".select-head");
    head.setAttribute("aria-busy", "true");
    await actions.select(message, part.custom_id, values);
    head.removeAttribute("aria-busy");
  });
  return chosen;
}

function button(part, message, actions) {
  const inner = [emoji(part.emoji), part.label ? h("span", {}, part.label) : null];
  const target = part.style === 5 ? channelOfLink(part.url) : null;
  if (target) {
    return h("button", { type: "button", class: "button link", disabled: part.disabled, dataset: { testid: "link-button", go: target } }, inner, icon("link"));
  }
  if (part.style === 5) {
    return h("a", { class: "button link", href: part.url, target: "_blank", rel: "noreferrer noopener" }, inner, icon("link"));
  }
  const press = async (event) => {
    const element = event.currentTarget;
    if (element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    await actions.press(message, part.custom_id, element);
    element.removeAttribute("aria-busy");
  };
  return h("button", { type: "button", class: `button ${STYLES[part.style]}`, disabled: part.disabled, "aria-label": part.label ? null : part.emoji?.name, dataset: { testid: "button", customId: part.custom_id }, onclick: press }, inner);
}

/**
 * Return a select with a list that opens below it. It calls `choose(values)` immediately for a
 * single choice, on "Done" for several, or on every change if `live`.
 */
export function select(part, choose, live = false) {
  const options = entries(part);
  const minimum = part.min_values ?? 1;
  const maximum = part.max_values ?? 1;
  const several = maximum > 1;
  const prompt = minimum === maximum ? say("Choose {count}", { count: minimum }) : say("Choose {least} to {most}", { least: minimum, most: maximum });
  const chosen = new Set(defaults(part, options));
  const label = h("span", { class: "select-label" });
  const list = h("div", { class: "select-list", role: "listbox", "aria-multiselectable": several ? "true" : null, hidden: true, tabindex: "-1" });
  const head = h("button", { type: "button", class: "select-head", disabled: part.disabled, "aria-haspopup": "listbox", "aria-expanded": "false", dataset: { testid: "select", customId: part.custom_id } }, label, icon("down"));
  const box = h("div", { class: "select" }, head, list);

  const show = () => {
    const picked = options.filter((o) => chosen.has(o.value));
    label.replaceChildren(...(picked.length ? picked.map((o) => h("span", { class: several ? "chip" : "" }, emoji(o.emoji), o.label)) : [h("span", { class: "placeholder" }, part.placeholder ?? say("Make a selection"))]));
    for (const item of list.querySelectorAll("[role=option]")) {
      item.setAttribute("aria-selected", chosen.has(item.dataset.value) ? "true" : "false");
    }
    const done = list.querySelector(".select-done");
    if (done) {
      done.disabled = chosen.size < minimum || chosen.size > maximum;
      done.textContent = done.disabled ? prompt : say("Done ({count})", { count: chosen.size });
    }
  };
  const close = () => {
    list.hidden = true;
    head.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
  };
  const outside = (event) => box.contains(event.target) || close();
  const open = () => {
    list.hidden = false;
    head.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    list.classList.toggle("above", box.getBoundingClientRect().bottom > innerHeight - 280);
    (list.querySelector("[aria-selected=true]") ?? list.querySelector("[role=option]"))?.focus();
  };
  const submit = () => {
    close();
    head.focus();
    choose([...chosen]);
  };
  const toggle = (value) => {
    if (!several) chosen.clear();
    if (several && chosen.has(value)) chosen.delete(value);
    else if (chosen.size < maximum) chosen.add(value);
    show();
    if (live) choose([...chosen]);
    if (!several) live ? (close(), head.focus()) : submit();
  };
  for (const option of options) {
    list.append(h("div", { role: "option", tabindex: "-1", class: "option", dataset: { testid: "select-option", value: option.value }, onclick: () => toggle(option.value) }, h("span", { class: "option-mark", "aria-hidden": "true" }, icon("check")), emoji(option.emoji), h("span", { class: "option-text" }, h("span", {}, option.label), option.description ? h("small", {}, option.description) : null)));
  }
  if (several && !live) list.append(h("button", { type: "button", class: "button primary select-done", dataset: { testid: "select-done" }, onclick: submit }, say("Done")));
  head.addEventListener("click", () => (list.hidden ? open() : close()));
  box.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const items = [...list.querySelectorAll("[role=option], .select-done:not(:disabled)")];
    const at = items.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) items[(at + step + items.length) % items.length]?.focus();
    else if (event.key === "Escape") (close(), head.focus());
    else if (["Enter", " "].includes(event.key) && document.activeElement.dataset.value !== undefined) toggle(document.activeElement.dataset.value);
    else if (event.key === "Tab") return close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  show();
  return box;
}

function entries(part) {
  if (part.type === STRING_SELECT) return part.options;
  if (part.type === CHANNEL_SELECT) {
    return [...state.channels.values()].filter((c) => c.kind !== "dm").map((c) => ({ value: c.id, label: `#${c.name}` }));
  }
  return [...state.users.values()].map((u) => ({ value: u.id, label: u.name, description: u.bot ? say("bot") : u.spectator ? say("spectator") : null }));
}

function defaults(part, options) {
  if (part.default_values) return part.default_values.map((d) => d.id);
  return options.filter((o) => o.default).map((o) => o.value);
}
