/** The page: connects the server, the state and the parts on screen. */

import { Composer } from "./composer.js";
import { showForm } from "./dialogs.js";
import { $, h, icon, toast } from "./dom.js";
import { drawFrame } from "./frame.js";
import { appendMessage, drawMessages, removeMessage, replaceMessage } from "./messages.js";
import { drawChannels, drawPeople, drawSettings } from "./sidebar.js";
import { announce, flash, hasReadAll, hideAnnouncement, isChoosing, isFollowing, removeInPlace, scrollDown, scrollToEnd, scrollToMessage, stopFollowing, watch, wouldFollow } from "./scrolling.js";
import { Connection } from "./socket.js";
import { currentChannel, me, names, state } from "./state.js";
import { listing, say, setLanguage, time } from "./words.js";

const TYPING_MS = 8000;
const OWN_ACTION_MS = 4000;
const STARTING_MS = 15000;

const scroll = $("scroll");
const typing = new Map();
let latestEntry = 0;
let lastUsed = null;
let lastActed = -Infinity;
let startedAt = -Infinity;

const connection = new Connection(onEvent, (connected) => {
  $("offline").hidden = connected;
});

const actions = { press, select, dismiss, loadOlder, newGame };
const composer = new Composer({
  act(action, values) {
    if (action === "slash" && values.command === "game start") startedAt = performance.now();
    return connection.act(action, values);
  },
  answer,
  failed: (command, text) => localNote(`/${command}`, text),
});
names.useCommand = (command) => composer.fill(command);

// Events

function onEvent(event) {
  handlers[event.t]?.(event);
}

const handlers = {
  hello(event) {
    const personChanged = state.me !== event.me;
    setLanguage(event.locale, event.words);
    drawFrame();
    state.me = event.me;
    state.users = new Map(event.users.map((user) => [user.id, user]));
    state.channels = new Map(event.channels.map((channel) => [channel.id, channel]));
    Object.assign(state, { commands: event.commands, languages: event.languages, mentions: event.mentions, online: event.online, server: event.server, servers: event.servers });
    $("server-name").textContent = event.server;
    drawPeople(switchPerson);
    drawSettings(set);
    drawPresence();
    if (!state.channels.has(state.open) || (personChanged && currentChannel()?.kind === "dm")) state.open = firstChannel();
    enter(state.open);
  },
  message(event) {
    const { message, marks } = event;
    mark(message.channel_id, marks);
    const channel = state.channels.get(message.channel_id);
    if (channel && !message.private) channel.last = message.id;
    typing.delete(`${message.channel_id} ${message.author.id}`);
    drawTyping();
    if (message.channel_id !== state.open) return;
    const last = [...state.messages.values()].pop();
    state.messages.set(message.id, message);
    // Messages of others must not scroll away a panel that the person is using.
    const stays = isChoosing() && message.author.id !== state.me;
    if (state.messages.size === 1) drawMessages(actions);
    else appendMessage(message, last, actions);
    if (message.private) showPrivate(message);
    else if (stays) stopFollowing();
    else if (isFollowing() || wouldFollow() || message.author.id === state.me) scrollToEnd();
    else $("jump").hidden = false;
    read();
  },
  message_edit({ message }) {
    if (message.channel_id !== state.open || !state.messages.has(message.id)) return;
    state.messages.set(message.id, message);
    const moved = replaceMessage(message, actions);
    // Keep the buttons in place if the message grows above them.
    if (isFollowing()) scrollToEnd();
    else if (lastUsed === message.id) scrollDown(moved);
    showEdit(message);
  },
  message_deleted({ id, channel }) {
    if (channel !== state.open || !state.messages.has(id)) return;
    const all = [...state.messages.values()];
    const at = all.findIndex((message) => message.id === id);
    state.messages.delete(id);
    if (state.messages.size === 0) drawMessages(actions);
    else removeInPlace(id, () => removeMessage(all[at], all[at - 1], all[at + 1], actions));
    for (const answer of all.filter((each) => each.referenced_message?.id === id)) {
      answer.referenced_message = null;
      replaceMessage(answer, actions);
    }
  },
  channel({ channel }) {
    const isNew = !state.channels.has(channel.id);
    state.channels.set(channel.id, channel);
    redraw();
    if (channel.id === state.open) drawPlace();
    // Open the thread of a game that the person has just started.
    if (isNew && channel.parent === state.open && performance.now() - startedAt < STARTING_MS) {
      startedAt = -Infinity;
      open(channel.id);
    }
  },
  channel_deleted({ id }) {
    state.channels.delete(id);
    if (id === state.open) enter(firstChannel());
    else redraw();
  },
  marks: ({ channel, marks }) => mark(channel, marks),
  mentions({ mentions }) {
    state.mentions = mentions;
    drawPeople(switchPerson);
  },
  commands({ commands, languages }) {
    Object.assign(state, { commands, languages });
    drawSettings(set);
  },
  words({ locale, words }) {
    setLanguage(locale, words);
    drawFrame();
    drawPeople(switchPerson);
    drawSettings(set);
    drawPresence();
    drawPlace();
    drawTyping();
    redraw();
    drawMessages(actions);
    composer.redraw();
  },
  user({ user }) {
    state.users.set(user.id, user);
    drawPeople(switchPerson);
    drawSettings(set);
  },
  typing({ user, channel }) {
    typing.set(`${channel} ${user}`, Date.now());
    drawTyping();
    setTimeout(drawTyping, TYPING_MS + 100);
  },
  bot({ online }) {
    state.online = online;
    drawPresence();
  },
};

function mark(channelId, marks) {
  const channel = state.channels.get(channelId);
  if (!channel) return;
  channel.marks = marks;
  redraw();
}

let redrawPending = false;

/** Draw the channel list, once for several events. */
function redraw() {
  if (redrawPending) return;
  redrawPending = true;
  queueMicrotask(() => {
    redrawPending = false;
    drawChannels(open, newGame);
  });
}

function showPrivate(message) {
  scrollToEnd();
  scrollToMessage(message.id);
  flash(message.id);
}

/** Show an edit that follows the person's own action, announce others. */
function showEdit(message) {
  const own = performance.now() - lastActed < OWN_ACTION_MS || (message.private && isFollowing());
  if (own && message.private) scrollToMessage(message.id);
  if (own) flash(message.id);
  else announce(message.id, message.private ? say("Your panel has changed") : say("A message has changed"));
}

// Navigation

function firstChannel() {
  const fromUrl = new URLSearchParams(location.hash.slice(1)).get("channel");
  if (fromUrl && state.channels.has(fromUrl)) return fromUrl;
  return topChannel();
}

function topChannel() {
  const tops = [...state.channels.values()].filter((c) => c.kind === "channel");
  return tops.sort((a, b) => a.position - b.position)[0]?.id ?? null;
}

/** Fill in `/game new` in the current channel or the parent of the current thread. */
async function newGame() {
  const place = currentChannel();
  closeDrawer();
  const channel = place?.kind === "channel" ? place.id : (place?.parent ?? topChannel());
  if (channel !== state.open) await enter(channel);
  composer.fill("game new");
}

function open(id) {
  closeDrawer();
  if (id === state.open) return scrollToEnd();
  enter(id);
  if (matchMedia("(pointer: fine)").matches) $("composer-text")?.focus();
}

async function enter(id) {
  const entry = ++latestEntry;
  state.open = id;
  hideAnnouncement();
  history.replaceState(null, "", `${location.pathname}${location.search}#channel=${id}`);
  drawPlace();
  composer.enter(id);
  redraw();
  const unread = currentChannel()?.marks.unread ?? 0;
  const page = await connection.act("history", { channel: id }).catch(() => null);
  if (entry !== latestEntry || !page) return;
  state.messages = new Map(page.messages.map((message) => [message.id, message]));
  state.more = page.more;
  const foreign = page.messages.filter((m) => m.author.id !== state.me);
  state.firstUnread = unread ? (foreign.slice(-unread)[0]?.id ?? null) : null;
  drawMessages(actions);
  const divider = $("messages").querySelector(".divider.new");
  if (divider && scroll.scrollHeight > scroll.clientHeight * 1.5) divider.scrollIntoView({ block: "start" });
  else scrollToEnd();
  drawTyping();
  read();
}

async function loadOlder() {
  const first = state.messages.keys().next().value;
  const page = await connection.act("history", { channel: state.open, before: first }).catch(() => null);
  if (!page) return;
  const height = scroll.scrollHeight;
  state.messages = new Map([...page.messages.map((m) => [m.id, m]), ...state.messages]);
  state.more = page.more;
  drawMessages(actions);
  scroll.scrollTop += scroll.scrollHeight - height;
}

function switchPerson(slug) {
  closeDrawer();
  if (me()?.slug === slug) return;
  const address = new URL(location.href);
  address.searchParams.set("as", slug);
  history.replaceState(null, "", address);
  connection.open(slug);
}

function drawPlace() {
  const channel = currentChannel();
  if (!channel) return;
  const picture = channel.kind === "dm" ? "dm" : channel.kind === "thread" ? "thread" : "hash";
  $("place-name").replaceChildren(icon(picture), h("span", {}, channel.name));
  const parent = state.channels.get(channel.parent);
  $("place-topic").textContent = channel.archived ? say("This thread is archived. Send a message to reopen it.") : channel.topic || (parent ? say("Thread in {channel}", { channel: `#${parent.name}` }) : say("Only you can see this"));
}

function drawPresence() {
  const label = $("bot-state");
  label.textContent = state.online ? say("The bot is online") : say("The bot is offline");
  label.classList.toggle("online", state.online);
}

function drawTyping() {
  const now = Date.now();
  const active = [...typing].filter(([key, at]) => key.startsWith(`${state.open} `) && now - at < TYPING_MS);
  const people = active.map(([key]) => state.users.get(key.split(" ")[1])?.name).filter(Boolean);
  $("typing").textContent = people.length > 1 ? say("{names} are typing…", { names: listing(people) }) : people.length ? say("{name} is typing…", { name: people[0] }) : "";
}

// Read marks

function read() {
  if (document.visibilityState !== "visible" || !hasReadAll()) return;
  if (currentChannel()?.marks.unread) connection.act("read", { channel: state.open }).catch(() => {});
}

watch(read);

// Actions

async function press(message, customId, element) {
  if (customId.startsWith("begin:")) startedAt = performance.now();
  await interact(message, element, () => connection.act("press", { channel: message.channel_id, message: message.id, custom_id: customId }));
}

async function select(message, customId, values) {
  await interact(message, null, () => connection.act("select", { channel: message.channel_id, message: message.id, custom_id: customId, values }));
}

async function interact(message, element, send) {
  lastUsed = message.id;
  lastActed = performance.now();
  const find = () => $("messages").querySelector(`[data-message-id="${message.id}"] > .body > .failure[data-testid]`);
  const note = find();
  if (note) note.hidden = true;
  try {
    const result = await send();
    answer(result);
    // Confirm the action even if the message does not change.
    if (result?.kind === "updated") flash(message.id);
  } catch (error) {
    const place = find();
    if (!place) return toast(error.message);
    place.textContent = error.message;
    place.hidden = false;
  }
}

function set(settings) {
  connection.act("settings", settings).catch((error) => toast(error.message));
}

/** Open the modal that answers an interaction; messages arrive as events. */
function answer(result) {
  if (result?.kind !== "modal") return;
  showForm(result.modal, async (values) => {
    answer(await connection.act("submit", { form: result.form, values }));
  });
}

function dismiss(message) {
  connection.act("dismiss", { channel: message.channel_id, message: message.id }).catch((error) => toast(error.message));
}

/** Show a note on this page only, for a command without an answer. */
function localNote(title, text) {
  const note = h("article", { class: "message lead private", dataset: { testid: "local-note" } }, h("div", { class: "gutter" }), h("div", { class: "body" }, h("p", { class: "failure" }, `${title}: ${text}`), h("p", { class: "private-note" }, icon("eye"), say("Only you can see this"), " · ", h("button", { type: "button", onclick: () => note.remove() }, say("Dismiss")))));
  $("messages").append(note);
  scrollToEnd();
}

// The drawer on small screens, links in messages, relative times

function closeDrawer() {
  document.body.classList.remove("drawer");
  $("menu").setAttribute("aria-expanded", "false");
}

$("menu").addEventListener("click", () => {
  const isOpen = document.body.classList.toggle("drawer");
  $("menu").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) $("channels").querySelector("[aria-current]")?.focus();
});
$("scrim").addEventListener("click", closeDrawer);
document.addEventListener("keydown", (event) => event.key === "Escape" && closeDrawer());
document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-go]")?.dataset.go;
  if (target && state.channels.has(target)) open(target);
});
setInterval(() => {
  for (const each of document.querySelectorAll('time[data-style="R"]')) each.textContent = time(each.dateTime, "R");
}, 20000);

drawFrame();
connection.open(new URLSearchParams(location.search).get("as") ?? "");
