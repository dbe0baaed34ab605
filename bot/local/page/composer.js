/** The input at the bottom: a text, or a command with a field for each option. */

import { $, avatar, h, icon, toast } from "./dom.js";
import { Popup } from "./popup.js";
import { currentChannel, state } from "./state.js";
import { msg, say } from "./words.js";

const AUTOCOMPLETE_WAIT_MS = 120;
const RECENT_KEY = "recent-commands";
const MAX_RECENT = 6;
const NO_ANSWER = msg("The application did not respond");
const KIND = { 3: msg("text"), 4: msg("whole number"), 5: msg("yes or no"), 6: msg("person"), 7: msg("channel"), 9: msg("person"), 10: msg("number"), 11: msg("file") };

export class Composer {
  /** `actions`: act(action, values), answer(result), failed(command, text). */
  constructor(actions) {
    this.actions = actions;
    this.form = $("composer");
    this.popup = new Popup();
    this.drafts = new Map();
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.form.addEventListener("focusout", (event) => {
      if (!this.form.contains(event.relatedTarget)) this.popup.close();
    });
    this.drawText("");
  }

  /** Save the draft of the old channel and person, and show that of the new ones. */
  enter(channelId) {
    const place = `${state.me} ${channelId}`;
    if (place === this.place) return;
    if (this.place && !this.command) this.drafts.set(this.place, this.text.value);
    this.place = place;
    this.drawText(this.drafts.get(place) ?? "");
  }

  /** Draw the input in the current language, without changing its text. */
  redraw() {
    if (!this.command) this.drawText(this.text.value);
  }

  // Plain text

  drawText(value) {
    this.command = null;
    this.fields = [];
    this.popup.close();
    const place = currentChannel();
    const closed = place?.locked && place?.archived;
    const where = place ? (place.kind === "channel" ? "#" : "") + place.name : "";
    const narrow = matchMedia("(max-width: 760px)").matches || where.length > 40;
    const placeholder = narrow ? say("Message, or / for commands") : say("Message {where}, or type / for commands", { where });
    this.text = h("textarea", {
      id: "composer-text",
      rows: 1,
      maxlength: 2000,
      disabled: closed,
      placeholder: closed ? say("This thread is locked") : placeholder,
      "aria-label": say("Message {where}", { where }),
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": "popup",
      "aria-expanded": "false",
      dataset: { testid: "composer-input" },
      oninput: () => this.typed(),
      onfocus: () => this.typed(),
      onkeydown: (event) => this.textKey(event),
      value,
    });
    const slash = h("button", { type: "button", class: "icon-button slash", "aria-label": say("Commands"), dataset: { testid: "open-commands" }, onclick: () => this.openCommands() }, h("span", {}, "/"));
    const send = h("button", { type: "submit", class: "icon-button send", "aria-label": say("Send"), dataset: { testid: "send" } }, icon("send"));
    this.form.classList.remove("commanding");
    this.form.replaceChildren(slash, this.text, send);
    this.grow();
  }

  openCommands() {
    this.text.value = "/";
    this.text.focus();
    this.typed();
  }

  grow() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, 180)}px`;
  }

  typed() {
    this.grow();
    const value = this.text.value;
    if (!value.startsWith("/") || value.includes("\n")) {
      this.popup.close();
      this.sendTyping();
      return;
    }
    const items = findCommands(value.slice(1)).map((command) => ({
      title: `/${command.label}`,
      detail: command.description,
      testid: "command-item",
      data: { command: command.command },
      command,
    }));
    const empty = state.commands.length ? say("No command with that name.") : say("The bot has no commands yet. Is it running?");
    this.popup.show({ items, pick: (item) => this.start(item.command), empty });
  }

  sendTyping() {
    const now = Date.now();
    if (!this.text.value || now - (this.typingSentAt ?? 0) < 5000) return;
    this.typingSentAt = now;
    this.actions.act("typing", { channel: state.open }).catch(() => {});
  }

  textKey(event) {
    if (this.popup.arrow(event.key)) return event.preventDefault();
    if (event.key === "Escape") this.popup.close();
    if ((event.key === "Tab" || event.key === "Enter") && this.popup.hasActive && !event.shiftKey) {
      event.preventDefault();
      this.popup.take();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.send();
    }
  }

  async sendText() {
    const text = mentionsByName(this.text.value.trim());
    if (!text) return;
    if (text.startsWith("/")) {
      if (!this.sendTypedCommand(text.slice(1))) toast(say("Unknown command. Type / to see them all."));
      return;
    }
    this.text.value = "";
    this.grow();
    try {
      await this.actions.act("say", { channel: state.open, text });
    } catch (error) {
      this.text.value = text;
      toast(error.message);
    }
  }

  // Commands

  /** Send a command typed with its options, or show its missing options; false if there is no such command. */
  sendTypedCommand(text) {
    const lower = text.toLowerCase();
    const named = state.commands.flatMap((command) => names(command).map((name) => ({ command, name })));
    const match = named.filter(({ name }) => lower === name || lower.startsWith(`${name} `)).sort((a, b) => b.name.length - a.name.length)[0];
    if (!match) return false;
    const { command, name } = match;
    const values = typedOptions(command, text.slice(name.length).trim());
    this.start(command);
    for (const [spec, typed] of values) {
      const field = this.fields.find((each) => each.spec === spec) ?? this.field(spec);
      if (!this.fields.includes(field)) this.fields.push(field);
      field.input.value = typed;
    }
    this.drawCommand();
    this.send();
    return true;
  }

  /** Start a command with an optional field; send it if it needs no input. */
  fill(name, option) {
    const command = state.commands.find((c) => c.command === name);
    if (command) {
      this.start(command);
      const next = command.options.find((o) => o.name === option && !o.required);
      if (next) this.addField(next);
      else if (!this.fields.length) this.send();
      return;
    }
    this.drawText(`/${name}`);
    this.text.focus();
    this.typed();
  }

  start(command) {
    this.command = command;
    this.popup.close();
    this.form.classList.add("commanding");
    this.fields = command.options.filter((o) => o.required).map((o) => this.field(o));
    this.drawCommand();
    if (this.fields.length) this.fields[0].input.focus();
    else this.form.querySelector(".send").focus();
  }

  drawCommand() {
    const rest = this.command.options.filter((o) => !this.fields.some((f) => f.spec === o));
    const add = rest.map((o) => h("button", { type: "button", class: "add-option", title: o.description, dataset: { testid: `add-option-${o.name}` }, onclick: () => this.addField(o) }, icon("plus"), o.label));
    const cancel = h("button", { type: "button", class: "icon-button", "aria-label": say("Cancel the command"), dataset: { testid: "cancel-command" }, onclick: () => this.leave() }, icon("close"));
    const send = h("button", { type: "submit", class: "icon-button send", "aria-label": say("Send {command}", { command: `/${this.command.label}` }), dataset: { testid: "send" } }, icon("send"));
    const line = h("div", { class: "command-line", dataset: { testid: "command-line" } }, h("span", { class: "command-name" }, `/${this.command.label}`), this.fields.map((f) => f.box), add);
    line.addEventListener("keydown", (event) => event.key === "Escape" && !this.popup.isOpen && this.leave());
    this.form.replaceChildren(cancel, line, send);
  }

  leave() {
    this.drawText("");
    this.text.focus();
  }

  field(spec) {
    const field = { spec, value: undefined };
    const dataset = { testid: `option-${spec.name}` };
    const shared = { dataset, "aria-label": `${spec.label}: ${spec.description}` };
    if (spec.type === 11) {
      field.input = h("input", { ...shared, type: "file", onchange: () => this.upload(field) });
    } else {
      field.input = h("input", {
        ...shared,
        type: "text",
        inputmode: spec.type === 4 ? "numeric" : spec.type === 10 ? "decimal" : "text",
        autocapitalize: "off",
        spellcheck: "false",
        role: "combobox",
        "aria-autocomplete": "list",
        "aria-controls": "popup",
        "aria-expanded": "false",
        placeholder: say(KIND[spec.type]),
        oninput: () => {
          field.value = undefined;
          fit(field.input);
          this.suggest(field, AUTOCOMPLETE_WAIT_MS);
        },
        onfocus: () => this.suggest(field, 0),
        onkeydown: (event) => this.fieldKey(event, field),
      });
      fit(field.input);
    }
    field.box = h("label", { class: "option-field" }, h("span", {}, spec.label), field.input);
    return field;
  }

  addField(spec) {
    const field = this.field(spec);
    this.fields.push(field);
    this.drawCommand();
    field.input.focus();
  }

  fieldKey(event, field) {
    if (this.popup.arrow(event.key)) return event.preventDefault();
    const picks = (event.key === "Enter" || event.key === "Tab") && !event.shiftKey && this.popup.hasActive && field.value === undefined;
    if (picks) {
      event.preventDefault();
      this.popup.take();
    } else if (event.key === "Escape" && this.popup.isOpen) {
      event.stopPropagation();
      this.popup.close();
    } else if (event.key === "Backspace" && field.input.value === "") {
      event.preventDefault();
      this.dropField(field);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.send();
    }
  }

  dropField(field) {
    const index = this.fields.indexOf(field);
    if (field.spec.required && index > 0) return this.fields[index - 1].input.focus();
    if (field.spec.required) {
      const name = this.command.label;
      this.drawText(`/${name}`);
      this.text.focus();
      return this.typed();
    }
    this.fields.splice(index, 1);
    this.drawCommand();
    const before = this.fields[index - 1] ?? this.fields[0];
    if (before) before.input.focus();
    else this.form.querySelector(".send").focus();
  }

  /** Show suggestions for a field. */
  suggest(field, wait) {
    const { spec } = field;
    clearTimeout(this.timer);
    const hint = `${spec.label}: ${spec.description}`;
    if (spec.autocomplete) {
      // The list still belongs to the earlier text, so Enter must not pick from it.
      this.popup.mark(-1);
      this.timer = setTimeout(() => this.autocomplete(field, hint), wait);
      return;
    }
    const query = field.input.value.trim().toLowerCase().replace(/^[@#]/, "");
    const all = fixedValues(spec);
    const isPicked = field.value !== undefined;
    const items = isPicked ? [] : all.filter((item) => item.title.toLowerCase().includes(query));
    const empty = all.length && !isPicked && !items.length ? say("Nothing found.") : null;
    this.popup.show({ items: items.slice(0, 25), pick: (item) => this.picked(field, item), hint, empty });
  }

  async autocomplete(field, hint) {
    const text = field.input.value;
    const values = this.values();
    values[field.spec.name] = text;
    let choices = [];
    try {
      choices = await this.actions.act("autocomplete", { channel: state.open, command: this.command.command, focused: field.spec.name, values });
    } catch {
      if (document.activeElement === field.input) this.popup.show({ items: [], hint, empty: say("Could not load choices.") });
      return;
    }
    // The text may have changed before a slow answer.
    if (document.activeElement !== field.input || field.input.value !== text || field.value !== undefined) return;
    const items = choices.map((choice) => ({ title: choice.name, value: choice.value, testid: "choice", data: { value: choice.value } }));
    this.popup.show({ items, pick: (item) => this.picked(field, item), hint, empty: say("No choices match.") });
  }

  picked(field, item) {
    field.value = item.value;
    field.input.value = item.title;
    field.box.classList.remove("wrong");
    fit(field.input);
    this.popup.close();
    const next = this.fields.find((f) => f.spec.required && this.valueOf(f) === undefined);
    if (next) next.input.focus();
    else field.input.focus();
  }

  async upload(field) {
    const file = field.input.files[0];
    if (!file) return;
    const reply = await fetch(`/page/upload?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    if (reply.ok) field.value = await reply.json();
    else toast(say("The upload failed. The file may be over 10 MB."));
  }

  valueOf(field) {
    if (field.value !== undefined) return field.value;
    const text = field.input.type === "file" ? "" : field.input.value.trim();
    if (text === "") return undefined;
    const item = fixedValues(field.spec).find((each) => matches(each, text));
    return item ? item.value : text;
  }

  values() {
    const values = {};
    for (const field of this.fields) {
      const value = this.valueOf(field);
      if (value !== undefined) values[field.spec.name] = value;
    }
    return values;
  }

  async sendCommand() {
    const missing = this.fields.find((f) => f.spec.required && this.valueOf(f) === undefined);
    for (const field of this.fields) field.box.classList.toggle("wrong", field === missing);
    if (missing) {
      missing.input.focus();
      return;
    }
    const { command } = this.command;
    this.popup.close();
    this.form.classList.add("busy");
    try {
      rememberCommand(command);
      const result = await this.actions.act("slash", { channel: state.open, command, values: this.values() });
      this.drawText("");
      this.text.focus();
      this.actions.answer(result);
    } catch (error) {
      if (error.source === NO_ANSWER) {
        this.actions.failed(command, error.message);
        this.drawText("");
        this.text.focus();
      } else {
        toast(error.message);
      }
    } finally {
      this.form.classList.remove("busy");
    }
  }

  send() {
    if (this.form.classList.contains("busy")) return;
    if (this.command) this.sendCommand();
    else this.sendText();
  }
}

/** Return the last commands used in this tab, newest first; at first only `/game new`. */
function recentCommands() {
  return JSON.parse(sessionStorage.getItem(RECENT_KEY) ?? '["game new"]');
}

function rememberCommand(name) {
  const others = recentCommands().filter((other) => other !== name);
  sessionStorage.setItem(RECENT_KEY, JSON.stringify([name, ...others].slice(0, MAX_RECENT)));
}

/** Return all names of a command, with each word in any language. */
const names = (command) => command.words.reduce((starts, word) => starts.flatMap((start) => [...new Set(word)].map((next) => `${start} ${next}`.trim())), [""]);

/**
 * Parse options such as `livello:facile tavolo:3`, with names in any language. Text before the
 * first name is split into words for the required options, or else goes to the first option that accepts it.
 */
function typedOptions(command, text) {
  const byName = new Map(command.options.flatMap((spec) => [spec.name, ...Object.values(spec.name_localizations ?? {})].map((name) => [name, spec])));
  const parts = text.split(/(?:^|\s+)([\p{L}\p{N}_-]+):\s*/u);
  const values = new Map();
  let bare = parts[0].trim();
  for (let at = 1; at < parts.length; at += 2) {
    const spec = byName.get(parts[at].toLowerCase());
    if (spec) values.set(spec, parts[at + 1].trim());
    else bare = `${bare} ${parts[at]}:${parts[at + 1]}`.trim();
  }
  const takes = (spec) => !values.has(spec) && (spec.choices.length ? fixedValues(spec).some((item) => matches(item, bare)) : spec.type !== 4 || /^\d+$/.test(bare));
  const needed = command.options.filter((spec) => spec.required && !values.has(spec));
  const words = bare.split(/\s+/);
  if (needed.length > 1 && words.length >= needed.length) {
    for (const spec of needed.slice(0, -1)) values.set(spec, words.shift());
    values.set(needed.at(-1), words.join(" "));
    return values;
  }
  const first = command.options.find(takes);
  if (bare && first) values.set(first, bare);
  return values;
}

/** Whether a typed text is the title or value of an item. */
const matches = (item, typed) => [item.title, String(item.value)].some((each) => each.toLowerCase() === typed.toLowerCase().replace(/^[@#]/, ""));

/** Return the available commands that match a typed text, best first. */
function findCommands(typed) {
  const query = typed.trim().toLowerCase();
  const inDm = currentChannel()?.kind === "dm";
  const available = state.commands.filter((command) => (inDm ? command.in_dm : command.in_guild));
  const scored = available.map((command) => {
    const all = names(command);
    if (all.some((name) => name.startsWith(query))) return [0, command];
    if (all.some((name) => name.split(" ").some((word) => word.startsWith(query)))) return [1, command];
    if (all.some((name) => name.includes(query)) || command.description.toLowerCase().includes(query)) return [2, command];
    return [3, command];
  });
  const recent = recentCommands();
  const rank = (command) => (recent.includes(command.command) ? recent.indexOf(command.command) : recent.length);
  return scored.filter(([score]) => score < 3).sort((a, b) => a[0] - b[0] || rank(a[1]) - rank(b[1])).map(([, command]) => command).slice(0, 60);
}

/** Return the possible values of an option as items, none for free text and numbers. */
function fixedValues(spec) {
  const item = (title, value, picture = null) => ({ title, value, picture, testid: "choice", data: { value } });
  if (spec.choices.length) return spec.choices.map((c) => item(c.name, c.value));
  if (spec.type === 5) return [item(say("Yes"), true), item(say("No"), false)];
  if (spec.type === 6 || spec.type === 9) return [...state.users.values()].map((u) => item(u.name, u.id, avatar(u, "small")));
  if (spec.type === 7) return [...state.channels.values()].filter((c) => c.kind !== "dm").map((c) => item(c.name, c.id));
  return [];
}

/** Replace `@Anna` by a mention. */
function mentionsByName(text) {
  const byName = new Map([...state.users.values()].map((u) => [u.name.toLowerCase(), u.id]));
  return text.replace(/(^|\s)@([\p{L}\p{N}_-]+)/gu, (match, before, name) => {
    const id = byName.get(name.toLowerCase());
    return id ? `${before}<@${id}>` : match;
  });
}

function fit(input) {
  input.style.width = `${Math.min(40, Math.max(input.value.length, input.placeholder.length, 3) + 2)}ch`;
}
