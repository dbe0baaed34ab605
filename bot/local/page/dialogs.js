/** Dialogs over the page: modals, and pictures in full size. */

import { $, h, icon } from "./dom.js";
import { select } from "./components.js";
import { say } from "./words.js";

const ACTION_ROW = 1;
const TEXT_INPUT = 4;
const TEXT_DISPLAY = 10;
const LABEL = 18;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;

/** Show a modal. It closes when the promise of `submit(values)` resolves. */
export function showForm(form, submit) {
  const dialog = $("form-dialog");
  const values = {};
  const failure = h("p", { class: "failure", role: "alert", hidden: true, dataset: { testid: "modal-failure" } });
  const send = h("button", { class: "button primary", type: "submit", dataset: { testid: "modal-submit" } }, say("Submit"));
  const close = () => dialog.close();
  const onsubmit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    failure.hidden = true;
    try {
      await submit(values);
      close();
    } catch (error) {
      failure.textContent = error.message;
      failure.hidden = false;
    } finally {
      send.disabled = false;
    }
  };
  const body = h(
    "form",
    { onsubmit, "aria-label": form.title },
    h("header", {}, h("h2", {}, form.title), h("button", { type: "button", class: "icon-button", "aria-label": say("Close"), dataset: { testid: "modal-close" }, onclick: close }, icon("close"))),
    h("div", { class: "form-fields" }, form.components.map((part) => formPart(part, values))),
    failure,
    h("footer", {}, h("button", { type: "button", class: "button ghost", onclick: close }, say("Cancel")), send),
  );
  dialog.replaceChildren(body);
  dialog.showModal();
  dialog.querySelector("input, textarea, .select-head")?.focus();
}

function formPart(part, values) {
  if (part.type === TEXT_DISPLAY) return h("p", { class: "form-text" }, part.content);
  if (part.type === ACTION_ROW) return part.components.map((field) => labelled(field, field.label, null, values));
  if (part.type === LABEL) return labelled(part.component, part.label, part.description, values);
  return null;
}

let fieldCount = 0;

function labelled(field, label, description, values) {
  const id = `field-${++fieldCount}`;
  const needed = field.required ?? true;
  const star = needed && field.type !== CHECKBOX ? h("span", { class: "needed", title: say("required") }, " *") : null;
  const input = formInput(field, id, needed, values);
  return h("div", { class: "form-field" }, h("label", { for: id }, label, star), description ? h("p", { class: "form-text" }, description) : null, input);
}

function formInput(field, id, needed, values) {
  const dataset = { testid: "modal-field", customId: field.custom_id };
  const setValue = (value) => (values[field.custom_id] = value);
  if (field.type === TEXT_INPUT) {
    setValue(field.value ?? "");
    const shared = { id, dataset, required: needed, minlength: field.min_length, maxlength: field.max_length ?? 4000, placeholder: field.placeholder, oninput: (event) => setValue(event.target.value), value: field.value ?? "" };
    return field.style === 2 ? h("textarea", { ...shared, rows: 4 }) : h("input", { ...shared, type: "text" });
  }
  if (field.type === CHECKBOX) {
    setValue(Boolean(field.default));
    return h("input", { id, dataset, type: "checkbox", checked: field.default, onchange: (event) => setValue(event.target.checked) });
  }
  if (field.type === RADIO_GROUP || field.type === CHECKBOX_GROUP) return picks(field, setValue, dataset);
  const box = select(field, setValue, true);
  box.querySelector(".select-head").id = id;
  return box;
}

function picks(field, setValue, dataset) {
  const single = field.type === RADIO_GROUP;
  const chosen = new Set(field.options.filter((o) => o.default).map((o) => o.value));
  const update = () => setValue(single ? [...chosen][0] ?? null : [...chosen]);
  update();
  const change = (option) => (event) => {
    if (single) chosen.clear();
    if (event.target.checked) chosen.add(option.value);
    else chosen.delete(option.value);
    update();
  };
  return h("div", { class: "picks", dataset }, field.options.map((option) => h("label", {}, h("input", { type: single ? "radio" : "checkbox", name: field.custom_id, value: option.value, checked: option.default, onchange: change(option) }), option.label)));
}

/** Show a picture over the page. Wheel or pinch zooms, dragging moves, Escape closes. */
export function showPicture(address, alt) {
  const dialog = $("lightbox");
  const image = h("img", { src: address, alt, draggable: "false" });
  const view = { scale: 1, x: 0, y: 0 };
  const apply = () => {
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    stage.classList.toggle("zoomed", view.scale > 1);
  };
  const zoom = (factor, cx, cy) => {
    const next = Math.min(8, Math.max(1, view.scale * factor));
    const box = stage.getBoundingClientRect();
    const px = (cx ?? box.left + box.width / 2) - box.left - box.width / 2;
    const py = (cy ?? box.top + box.height / 2) - box.top - box.height / 2;
    view.x = px - ((px - view.x) * next) / view.scale;
    view.y = py - ((py - view.y) * next) / view.scale;
    view.scale = next;
    if (next === 1) view.x = view.y = 0;
    apply();
  };
  const stage = h("div", { class: "stage" }, image);
  const fingers = new Map();
  let moved = false;
  let pressed = null;
  stage.addEventListener("wheel", (event) => (event.preventDefault(), zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY)), { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    moved = false;
    // After the capture, the target of all pointer events is the stage.
    pressed = event.target;
  });
  stage.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.clientX;
    const dy = event.clientY - last.clientY;
    if (Math.abs(dx) + Math.abs(dy) > 2) moved = true;
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()];
      const before = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      fingers.set(event.pointerId, event);
      const [c, d] = [...fingers.values()];
      const after = Math.hypot(c.clientX - d.clientX, c.clientY - d.clientY);
      zoom(after / (before || 1), (c.clientX + d.clientX) / 2, (c.clientY + d.clientY) / 2);
    } else {
      fingers.set(event.pointerId, event);
      if (view.scale > 1) {
        view.x += dx;
        view.y += dy;
        apply();
      }
    }
  });
  const release = (event) => fingers.delete(event.pointerId);
  stage.addEventListener("pointerup", (event) => {
    release(event);
    if (!moved && pressed === stage) dialog.close();
  });
  stage.addEventListener("pointercancel", release);
  stage.addEventListener("dblclick", (event) => zoom(view.scale > 1 ? 1 / view.scale : 2.5, event.clientX, event.clientY));
  const tool = (name, label, onclick) => h("button", { type: "button", class: "icon-button", "aria-label": label, onclick }, icon(name));
  const bar = h("div", { class: "lightbox-bar" }, tool("minus", say("Smaller"), () => zoom(1 / 1.4)), tool("plus", say("Larger"), () => zoom(1.4)), h("a", { class: "icon-button", href: address, target: "_blank", "aria-label": say("Open the picture in a tab") }, icon("tab")), tool("close", say("Close"), () => dialog.close()));
  // The tabindex lets keyboard users scroll a long description.
  const caption = alt ? h("p", { class: "lightbox-alt", tabindex: "0" }, alt) : null;
  dialog.replaceChildren(stage, h("div", { class: "lightbox-foot" }, caption, bar));
  dialog.onkeydown = (event) => {
    if (event.key === "+" || event.key === "=") zoom(1.4);
    if (event.key === "-") zoom(1 / 1.4);
  };
  dialog.showModal();
}
