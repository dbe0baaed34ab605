/** The list of messages, grouped by author. */

import { $, avatar, h, icon } from "./dom.js";
import { components } from "./components.js";
import { isLayout, layout, texts } from "./layout.js";
import { inlineMarkdown, markdown } from "./markdown.js";
import { file, picture, pictures } from "./media.js";
import { channelOfLink, names, state } from "./state.js";
import { say, time as inWords } from "./words.js";

const GROUP_MS = 7 * 60 * 1000;
const REPLY = 19;
const THREAD_NOTICE = 18;
const PIN_NOTICE = 6;
const THREAD_STARTER = 21;

/** Draw all messages of the open channel. `actions`: press, select, dismiss, loadOlder, newGame. */
export function drawMessages(actions) {
  const list = $("messages");
  const nodes = [];
  let before = null;
  for (const message of state.messages.values()) {
    nodes.push(...row(message, before, actions));
    before = message;
  }
  const channel = state.channels.get(state.open);
  if (state.more) {
    nodes.unshift(h("button", { type: "button", class: "older", dataset: { testid: "older" }, onclick: actions.loadOlder }, say("Show older messages")));
  } else if (channel) {
    nodes.unshift(beginning(channel, actions));
  }
  // Screen readers should read new messages, not the history of a newly opened channel.
  list.setAttribute("aria-busy", "true");
  list.replaceChildren(...nodes);
  requestAnimationFrame(() => list.removeAttribute("aria-busy"));
}

/** Add a new message at the end; `before` is the previous one. */
export function appendMessage(message, before, actions) {
  $("messages").append(...row(message, before, actions));
}

const find = (message) => $("messages").querySelector(`[data-message-id="${message.id}"]`);

/** Remove a message and redraw the next one, which may now need a header or a date above it. */
export function removeMessage(message, before, next, actions) {
  const last = find(next ?? message);
  // The dividers above are removed too, and drawn again if still needed.
  const range = document.createRange();
  range.setStartAfter(before ? find(before) : $("messages").firstElementChild);
  range.setEndAfter(last);
  const fresh = document.createDocumentFragment();
  if (next) fresh.append(...row(next, before, actions));
  reusePictures(last, fresh);
  range.deleteContents();
  range.insertNode(fresh);
}

/** Reuse the elements of equal pictures, so that they neither flicker nor are read again. */
function reusePictures(old, fresh) {
  const shown = [...old.querySelectorAll("[data-testid=picture]")];
  for (const picture of fresh.querySelectorAll("[data-testid=picture]")) {
    const same = shown.find((each) => each.isEqualNode(picture));
    if (same) picture.replaceWith(shown.splice(shown.indexOf(same), 1)[0]);
  }
}

/** Redraw an edited message; return how many pixels its bottom moved down. */
export function replaceMessage(message, actions) {
  const old = find(message);
  if (!old) return 0;
  const fresh = article(message, old.classList.contains("lead"), actions);
  const bottom = old.getBoundingClientRect().bottom;
  const focused = old.contains(document.activeElement) ? document.activeElement.dataset.customId : undefined;
  reusePictures(old, fresh);
  old.replaceWith(fresh);
  // Restore the keyboard focus, or move it to the first button of the new panel.
  if (focused !== undefined) (fresh.querySelector(`[data-custom-id="${CSS.escape(focused)}"]:enabled`) ?? fresh.querySelector(":is(.button, .select-head):enabled"))?.focus({ preventScroll: true });
  return fresh.getBoundingClientRect().bottom - bottom;
}

function row(message, before, actions) {
  const nodes = [];
  if (!before || day(before) !== day(message)) {
    nodes.push(h("div", { class: "divider", role: "separator" }, h("span", {}, day(message))));
  }
  if (message.id === state.firstUnread) {
    nodes.push(h("div", { class: "divider new", role: "separator", dataset: { testid: "new-divider" } }, h("span", {}, say("New"))));
  }
  const leads = nodes.length > 0 || !continues(before, message);
  nodes.push(article(message, leads, actions));
  return nodes;
}

function continues(before, message) {
  return (
    before.author.id === message.author.id &&
    before.private === message.private &&
    !message.used &&
    !message.referenced_message &&
    ![THREAD_NOTICE, PIN_NOTICE, THREAD_STARTER].includes(message.type) &&
    ![THREAD_NOTICE, PIN_NOTICE, THREAD_STARTER].includes(before.type) &&
    new Date(message.timestamp) - new Date(before.timestamp) < GROUP_MS
  );
}

const day = (message) => inWords(message.timestamp, "day");
const clock = (message) => inWords(message.timestamp, "clock");

function article(message, leads, actions) {
  const author = state.users.get(message.author.id);
  if (message.type === THREAD_NOTICE || message.type === PIN_NOTICE) return notice(message, author);
  if (message.type === THREAD_STARTER) return starter(message);
  const isPing = message.mentions.some((user) => user.id === state.me) || message.mention_everyone;
  const classes = ["message", leads ? "lead" : "", isPing ? "ping" : "", message.private ? "private" : ""];
  const time = h("time", { class: "when", datetime: message.timestamp, title: inWords(message.timestamp, "whole") }, clock(message));
  return h(
    "article",
    {
      class: classes.join(" "),
      "aria-label": `${author?.name ?? say("Someone")}, ${clock(message)}`,
      dataset: { testid: "message", messageId: message.id, private: message.private ? "true" : "false" },
    },
    leads ? context(message) : null,
    h("div", { class: "gutter" }, leads ? avatar(author) : time),
    h(
      "div",
      { class: "body" },
      leads
        ? h("header", {}, h("span", { class: "author", style: { "--colour": author?.colour } }, author?.name ?? say("Someone")), author?.bot ? h("span", { class: "tag" }, say("BOT")) : null, author?.spectator ? h("span", { class: "tag quiet" }, say("spectator")) : null, time)
        : null,
      isLayout(message) ? [layout(message, actions), message.private ? null : edited(message)] : classic(message, actions),
      threadLink(message),
      h("p", { class: "failure", role: "alert", dataset: { testid: "failure" }, hidden: true }),
      message.private ? privateNote(message, actions) : null,
    ),
  );
}

/** Return the line above an answer: the used command, or the message that it replies to. */
function context(message) {
  const used = message.used;
  if (used?.command) {
    const user = state.users.get(used.user);
    return h("p", { class: "context", dataset: { testid: "used" } }, h("span", { class: "elbow" }), avatar(user, "tiny"), h("span", { class: "who" }, user?.name ?? say("Someone")), " ", say("used"), " ", h("span", { class: "command" }, `/${labelOf(used.command)}`));
  }
  if (message.type !== REPLY || !message.message_reference) return null;
  const target = message.referenced_message;
  if (!target) return null;
  const author = state.users.get(target.author.id);
  const text = plain(target);
  const jump = () => document.querySelector(`[data-message-id="${target.id}"]`)?.scrollIntoView({ block: "center", behavior: "smooth" });
  return h("p", { class: "context" }, h("span", { class: "elbow" }), avatar(author, "tiny"), h("button", { type: "button", onclick: jump }, h("span", { class: "who" }, author?.name ?? ""), " ", text));
}

function plain(message) {
  const text = texts(message.components)[0] || message.content || message.embeds[0]?.title || message.embeds[0]?.description || "";
  if (!text) return message.attachments.length || message.embeds.length ? say("Picture") : say("Message");
  const holder = h("span");
  const line = text.split("\n")[0].replace(/^(#{1,3}|-#|>|[-*]) +/, "");
  holder.append(inlineMarkdown(line, names));
  return holder;
}

/** Return the parts of a classic message. */
function classic(message, actions) {
  return [body(message), attachments(message), message.embeds.map((embed) => drawEmbed(embed)), components(message, actions)];
}

function edited(message) {
  if (!message.edited_timestamp) return null;
  return h("span", { class: "edited", title: inWords(message.edited_timestamp, "whole") }, say("(edited)"));
}

function body(message) {
  if (message.thinking) {
    const name = state.users.get(message.author.id)?.name ?? say("The bot");
    return h("p", { class: "thinking", dataset: { testid: "thinking" } }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), say("{name} is thinking…", { name }));
  }
  if (message.abandoned) return h("p", { class: "failure" }, say("The application did not respond"));
  if (!message.content) return null;
  const text = h("div", { class: "text", dataset: { testid: "content" } });
  text.append(markdown(message.content, names));
  const mark = edited(message);
  if (mark) (text.lastElementChild?.matches("p") ? text.lastElementChild : text).append(" ", mark);
  return text;
}

function attachments(message) {
  const shown = message.attachments.filter((a) => a.content_type?.startsWith("image/"));
  const files = message.attachments.filter((a) => !shown.includes(a));
  return [shown.length ? pictures(shown) : null, files.map((a) => file({ ...a, name: a.filename }))];
}

function drawEmbed(embed) {
  const colour = embed.color === undefined || embed.color === null ? null : `#${embed.color.toString(16).padStart(6, "0")}`;
  const text = (value) => {
    const holder = h("div", { class: "text" });
    holder.append(markdown(value, names));
    return holder;
  };
  const title = embed.title ? h("div", { class: "embed-title" }) : null;
  title?.append(embed.url ? h("a", { href: embed.url, target: "_blank", rel: "noreferrer noopener" }, embed.title) : inlineMarkdown(embed.title, names));
  const foot = [embed.footer?.text, embed.timestamp ? inWords(embed.timestamp, "short") : null].filter(Boolean);
  return h(
    "section",
    { class: embed.image ? "embed wide" : "embed", style: { "--bar": colour }, dataset: { testid: "embed" } },
    h(
      "div",
      { class: "embed-main" },
      embed.author?.name ? h("div", { class: "embed-author" }, embed.author.name) : null,
      title,
      embed.description ? text(embed.description) : null,
      embed.fields?.length ? fields(embed.fields, text) : null,
    ),
    embed.thumbnail ? picture(embed.thumbnail, "thumbnail") : null,
    embed.image ? picture(embed.image, "embed-image") : null,
    foot.length ? h("footer", {}, foot.join(" · ")) : null,
  );
}

/** Return the fields of an embed; up to three inline fields share a line. */
function fields(list, text) {
  return h("div", { class: "fields" }, list.map((field) => {
    const name = h("div", { class: "field-name" });
    name.append(inlineMarkdown(field.name, names));
    return h("div", { class: field.inline ? "field" : "field full" }, name, text(field.value));
  }));
}

function threadLink(message) {
  if (!message.thread || linksTo(message.components, message.thread.id)) return null;
  const thread = state.channels.get(message.thread.id) ?? message.thread;
  return h("button", { type: "button", class: "thread-link", dataset: { go: message.thread.id, testid: "thread-link" } }, icon("thread"), h("strong", {}, thread.name), h("span", {}, say("Open thread")));
}

/** Whether a button links to a channel. */
const linksTo = (parts, id) => parts.some((part) => (part.url ? channelOfLink(part.url) === id : linksTo(part.components ?? [], id)));

function privateNote(message, actions) {
  return h("p", { class: "private-note" }, icon("eye"), say("Only you can see this"), " · ", h("button", { type: "button", dataset: { testid: "dismiss" }, onclick: () => actions.dismiss(message) }, say("Dismiss")), isLayout(message) ? edited(message) : null);
}

function notice(message, author) {
  const pinned = message.type === PIN_NOTICE;
  const target = message.message_reference?.channel_id;
  return h(
    "article",
    { class: "notice", dataset: { testid: "notice", messageId: message.id } },
    icon(pinned ? "check" : "thread"),
    h("span", {}, h("strong", {}, author?.name ?? say("Someone")), " ", pinned ? say("pinned a message.") : say("started a thread:"), " ", pinned ? null : h("button", { type: "button", dataset: { go: target } }, message.content)),
    h("time", { datetime: message.timestamp }, clock(message)),
  );
}

function starter(message) {
  const target = message.referenced_message;
  return h("article", { class: "notice", dataset: { testid: "starter", messageId: message.id } }, icon("thread"), h("span", {}, say("Begins with:"), " ", target ? plain(target) : say("a message that was deleted")));
}

/** Return the name of a command in the person's language. */
const labelOf = (command) => state.commands.find((each) => each.command === command)?.label ?? command;

/** Return the heading above the first message, with a hint in an empty channel. */
function beginning(channel, actions) {
  const isDm = channel.kind === "dm";
  const title = isDm ? say("You and {name}", { name: channel.name }) : (channel.kind === "channel" ? "#" : "") + channel.name;
  const about = isDm ? say("Only you can see this. Your private information arrives here.") : channel.topic || say("This thread is for one game.");
  const empty = state.messages.size === 0 && !isDm;
  const hint = h("div", { class: "hint" }, h("p", {}, say("Play against computer players, or switch players to join as someone else.")), h("button", { type: "button", class: "button primary", dataset: { testid: "hint-new-game" }, onclick: actions.newGame }, say("Start a game")));
  return h("div", { class: empty ? "beginning empty" : "beginning" }, h("div", { class: "crest" }, icon(isDm ? "dm" : channel.kind === "thread" ? "thread" : "hash")), h("h3", {}, title), h("p", {}, about), empty ? hint : null);
}
