/** Rendering of the part of Discord's markdown that bots use. Text is never parsed as HTML. */

import { h } from "./dom.js";
import { ownEmoji, withKeycaps } from "./emoji.js";
import { channelOfLink } from "./state.js";
import { say, time } from "./words.js";

/**
 * Render text as a fragment of block elements. `names` resolves mentions: `{user(id), channel(id), me}`.
 */
export function markdown(text, names) {
  const out = document.createDocumentFragment();
  const fences = text.split(/```(?:([\w+-]*)\n)?([\s\S]*?)```/);
  for (let i = 0; i < fences.length; i += 3) {
    out.append(...blocks(fences[i], names));
    if (i + 2 < fences.length) {
      out.append(h("pre", {}, h("code", {}, fences[i + 2].replace(/\n$/, ""))));
    }
  }
  return out;
}

/** Render text as inline elements only, for labels and field names. */
export function inlineMarkdown(text, names) {
  const out = document.createDocumentFragment();
  out.append(...inline(text, names));
  return out;
}

function blocks(text, names) {
  const out = [];
  let open = null;
  const push = (kind, node, item) => {
    if (open?.kind !== kind || kind === null) {
      open = { kind, node };
      out.push(node);
    }
    open.node.append(...item);
  };
  const lines = text.replace(/^\n/, "").replace(/\n$/, "").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    let match;
    if ((match = /^>>> ([\s\S]*)/.exec(lines.slice(i).join("\n")))) {
      out.push(h("blockquote", {}, ...blocks(match[1], names)));
      return out;
    }
    if ((match = /^(#{1,3}) +(.+)/.exec(line))) {
      open = null;
      out.push(h("h" + (match[1].length + 2), { class: "md-h" + match[1].length }, ...inline(match[2], names)));
    } else if ((match = /^-# +(.+)/.exec(line))) {
      open = null;
      out.push(h("p", { class: "subtext" }, ...inline(match[1], names)));
    } else if ((match = /^> ?(.*)/.exec(line))) {
      const isOpen = open?.kind === "quote";
      push("quote", isOpen ? null : h("blockquote"), isOpen ? [h("br"), ...inline(match[1], names)] : inline(match[1], names));
    } else if ((match = /^( *)[-*] +(.+)/.exec(line))) {
      push("ul", h("ul"), [h("li", { class: match[1].length > 1 ? "deep" : null }, ...inline(match[2], names))]);
    } else if ((match = /^ *(\d+)\. +(.+)/.exec(line))) {
      push("ol", h("ol", { start: match[1] }), [h("li", {}, ...inline(match[2], names))]);
    } else if (line.trim() === "") {
      if (open?.kind === "p" && i < lines.length - 1) open.node.append(h("br"));
      else open = null;
      if (open?.kind === "p") open.blank = true;
    } else {
      const isOpen = open?.kind === "p";
      push("p", isOpen ? null : h("p"), isOpen ? [h("br"), ...inline(line, names)] : inline(line, names));
    }
  }
  return out;
}

const TOKENS = [
  [/^\\([^0-9A-Za-z\s])/, (m) => m[1]],
  [/^`` ?(.+?) ?``(?!`)/, (m) => h("code", {}, m[1])],
  [/^`([^`\n]+)`/, (m) => h("code", {}, m[1])],
  [/^\|\|([\s\S]+?)\|\|/, (m, names) => spoiler(inline(m[1], names))],
  [/^\*\*\*([\s\S]+?)\*\*\*(?!\*)/, (m, names) => h("strong", {}, h("em", {}, ...inline(m[1], names)))],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, (m, names) => h("strong", {}, ...inline(m[1], names))],
  [/^__([\s\S]+?)__(?!_)/, (m, names) => h("u", {}, ...inline(m[1], names))],
  [/^\*(?![\s*])([^*\n]+?)\*(?!\*)/, (m, names) => h("em", {}, ...inline(m[1], names))],
  [/^_(?!_)([^_\n]+?)_(?!\w)/, (m, names) => h("em", {}, ...inline(m[1], names))],
  [/^~~([\s\S]+?)~~/, (m, names) => h("s", {}, ...inline(m[1], names))],
  [/^<@!?(\d+)>/, (m, names) => mention(names.user(m[1]), m[1], names)],
  [/^<#(\d+)>/, (m, names) => place(names.channel(m[1]), m[1])],
  [/^<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => moment(Number(m[1]), m[2] ?? "f")],
  [/^<\/([^:>]+):\d+>/, (m, names) => h("button", { class: "mention", type: "button", onclick: () => names.useCommand?.(m[1]) }, "/" + m[1])],
  [/^<a?:(\w+):(\d+)>/, (m) => ownEmoji(m[2], m[1])],
  [/^@(everyone|here)\b/, (m) => h("span", { class: "mention me" }, m[0])],
  [/^\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m, names) => link(m[2], inline(m[1], names), names)],
  [/^<(https?:\/\/[^\s>]+)>/, (m, names) => link(m[1], [m[1]], names)],
  [/^https?:\/\/[^\s<]+[^\s<.,:;"')\]]/, (m, names) => link(m[0], [m[0]], names)],
];

function inline(text, names) {
  const out = [];
  let plain = "";
  let rest = text;
  let before = "";
  scan: while (rest) {
    // Fast path for text that cannot start a token.
    const quick = /^[^\\`|*_~<@[h]+/.exec(rest);
    if (quick) {
      plain += quick[0];
      before = quick[0].slice(-1);
      rest = rest.slice(quick[0].length);
      continue;
    }
    const inWord = /\w/.test(before);
    for (const [pattern, make] of TOKENS) {
      if (inWord && /[_h@]/.test(rest[0])) break;
      const match = pattern.exec(rest);
      if (!match) continue;
      if (plain) out.push(...withKeycaps(plain));
      plain = "";
      out.push(make(match, names));
      before = match[0].slice(-1);
      rest = rest.slice(match[0].length);
      continue scan;
    }
    plain += rest[0];
    before = rest[0];
    rest = rest.slice(1);
  }
  if (plain) out.push(...withKeycaps(plain));
  return out;
}

function mention(user, id, names) {
  return h("span", { class: id === names.me ? "mention me" : "mention", "data-user-id": id }, "@" + (user?.name ?? say("unknown")));
}

function place(channel, id) {
  return h("button", { class: "mention", type: "button", "data-go": id }, "#" + (channel?.name ?? say("unknown")));
}

function link(address, children, names) {
  const target = channelOfLink(address);
  if (target) return children[0] === address ? place(names.channel(target), target) : h("button", { class: "mention", type: "button", "data-go": target }, ...children);
  return h("a", { href: address, target: "_blank", rel: "noreferrer noopener" }, ...children);
}

function spoiler(children) {
  const reveal = (event) => {
    event.currentTarget.classList.add("shown");
    event.currentTarget.removeAttribute("role");
  };
  const onkeydown = (event) => (event.key === "Enter" || event.key === " ") && reveal(event);
  return h("span", { class: "spoiler", role: "button", tabindex: "0", title: say("Hidden. Press to show"), onclick: reveal, onkeydown }, h("span", {}, ...children));
}

function moment(seconds, style) {
  const date = new Date(seconds * 1000);
  const element = h("time", { datetime: date.toISOString(), title: time(date, "whole") });
  element.dataset.style = style;
  element.textContent = time(date, style);
  return element;
}
