/** The list of suggestions above the composer. The focus stays in the input. */

import { $, h } from "./dom.js";
import { say } from "./words.js";

export class Popup {
  constructor() {
    this.box = $("popup");
    this.items = [];
    this.at = -1;
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /** Whether Enter would pick an item. */
  get hasActive() {
    return this.isOpen && this.at >= 0 && this.at < this.items.length;
  }

  /**
   * Show items `{title, detail, testid, data}` under an optional `hint`. Calls `pick(item)`.
   * `active` is the index of the item that Enter picks, -1 for none.
   */
  show({ items, pick, hint, active = 0, empty = null }) {
    this.items = items;
    this.pick = pick;
    this.at = items.length ? Math.min(active, items.length - 1) : -1;
    const rows = items.map((item, index) =>
      h(
        "div",
        { role: "option", id: `popup-${index}`, class: "popup-item", "aria-selected": "false", dataset: { testid: item.testid, ...item.data }, onpointerdown: (event) => event.preventDefault(), onclick: () => pick(item), onpointermove: () => this.mark(index) },
        item.picture ?? null,
        h("span", { class: "popup-title" }, item.title),
        item.detail ? h("span", { class: "popup-detail" }, item.detail) : null,
      ),
    );
    const placeholder = !rows.length && empty ? h("p", { class: "popup-empty" }, empty) : null;
    this.box.replaceChildren(hint ? h("p", { class: "popup-hint" }, hint) : "", h("div", { role: "listbox", class: "popup-list", "aria-label": say("Suggestions") }, rows), placeholder ?? "");
    this.box.hidden = !rows.length && !hint && !placeholder;
    this.mark(this.at);
    this.updateInput();
  }

  /** Set `aria-expanded` of the input. */
  updateInput() {
    const input = document.activeElement;
    if (input?.getAttribute("role") === "combobox") input.setAttribute("aria-expanded", String(this.isOpen && this.items.length > 0));
  }

  close() {
    this.box.hidden = true;
    this.updateInput();
    this.items = [];
    this.at = -1;
  }

  mark(index) {
    this.at = index;
    for (const [i, row] of [...this.box.querySelectorAll("[role=option]")].entries()) {
      row.setAttribute("aria-selected", i === index ? "true" : "false");
      if (i === index) row.scrollIntoView({ block: "nearest" });
    }
    document.activeElement?.setAttribute?.("aria-activedescendant", index >= 0 ? `popup-${index}` : "");
  }

  /** Handle arrow keys; return whether the key was handled. */
  arrow(key) {
    if (!this.isOpen || !this.items.length) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!step) return false;
    this.mark((this.at + step + this.items.length) % this.items.length);
    return true;
  }

  take() {
    this.pick(this.items[this.at]);
  }
}
