/** The lists of servers, channels and threads, the settings, and the person switcher. */

import { $, avatar, h, icon } from "./dom.js";
import { me, state } from "./state.js";
import { say } from "./words.js";

/** Draw the list of channels. `open(id)` opens one, `newGame()` starts a game. */
export function drawChannels(open, newGame) {
  const all = [...state.channels.values()];
  const tops = all.filter((c) => c.kind === "channel").sort((a, b) => a.position - b.position);
  const dms = all.filter((c) => c.kind === "dm");
  const list = h("ul");
  for (const channel of tops) {
    list.append(h("li", {}, entry(channel, "hash", open)));
    const threads = all.filter((c) => c.parent === channel.id && isShown(c));
    threads.sort((a, b) => Number(a.archived) - Number(b.archived) || (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
    if (threads.length) {
      const label = say("Threads in {channel}", { channel: channel.name });
      list.append(h("li", {}, h("ul", { class: "threads", "aria-label": label }, threads.map((t) => h("li", {}, entry(t, t.archived ? "archive" : "thread", open))))));
    }
  }
  const direct = h("ul", {}, dms.map((dm) => h("li", {}, entry(dm, "dm", open))));
  const newGameButton = h("button", { type: "button", class: "button secondary new-game", dataset: { testid: "new-game" }, onclick: newGame }, icon("plus"), say("New game"));
  $("channels").replaceChildren(...servers(), newGameButton, h("h2", {}, say("Channels")), list, h("h2", {}, say("Direct messages")), direct);
  const total = all.reduce((sum, c) => sum + c.marks.mentions, 0);
  const place = state.channels.get(state.open);
  const title = [place ? (place.kind === "channel" ? "#" : "") + place.name : null, state.server].filter(Boolean).join(" · ");
  document.title = (total ? `(${total}) ` : "") + title;
  $("menu").classList.toggle("marked", all.some((c) => c.id !== state.open && c.marks.mentions));
}

/** Return links to the servers, if there are several. */
function servers() {
  if (state.servers.length < 2) return [];
  const link = ({ id, name, current }) => {
    const query = new URLSearchParams({ as: me().slug, server: id });
    const attributes = { class: "channel", href: `/?${query}`, "aria-current": current ? "page" : null };
    return h("a", { ...attributes, dataset: { testid: `server-${id}` } }, h("span", { class: "name" }, name));
  };
  return [h("ul", { class: "servers" }, state.servers.map((server) => h("li", {}, link(server))))];
}

/** Whether to show a thread; of read archived ones, only the last three and the open one. */
function isShown(thread) {
  if (!thread.archived || thread.id === state.open || thread.marks.unread) return true;
  const archived = [...state.channels.values()].filter((c) => c.parent === thread.parent && c.archived);
  return archived.slice(-3).includes(thread);
}

function entry(channel, picture, open) {
  const { unread, mentions } = channel.marks;
  const current = channel.id === state.open;
  const classes = ["channel", unread && !current ? "unread" : "", channel.archived ? "archived" : ""];
  const labels = [channel.name];
  if (unread) labels.push(say("{count} unread", { count: unread }));
  if (mentions) labels.push(say("{count} for you", { count: mentions }));
  const button = h(
    "button",
    {
      type: "button",
      class: classes.join(" "),
      "aria-current": current ? "page" : null,
      "aria-label": labels.join(", "),
      dataset: { testid: `channel-${channel.kind === "dm" ? "dm" : channel.name}`, channelId: channel.id },
      title: channel.name,
      onclick: () => open(channel.id),
    },
    channel.kind === "dm" ? avatar([...state.users.values()].find((u) => u.bot), "small") : icon(picture),
    h("span", { class: "name" }, channel.name),
    channel.locked ? icon("lock") : null,
    mentions && !current ? h("span", { class: "badge", dataset: { testid: "badge" } }, String(mentions)) : null,
  );
  return button;
}

/** Return the name of a language in that language. */
function nameOf(code) {
  const [base] = code.split("-");
  const name = new Intl.DisplayNames([base], { type: "language" }).of(base);
  return name[0].toLocaleUpperCase(base) + name.slice(1);
}

/** Draw the person's settings. `change(settings)` saves them. */
export function drawSettings(change) {
  const user = me();
  const locales = [...new Set([...state.languages, user.locale])];
  const language = h("select", { id: "locale", dataset: { testid: "locale" }, onchange: (event) => change({ locale: event.target.value }) }, locales.map((code) => h("option", { value: code, selected: code === user.locale }, nameOf(code))));
  const acceptsDms = h("input", { type: "checkbox", dataset: { testid: "takes-dms" }, checked: !user.blocks_dms, onchange: (event) => change({ blocks_dms: !event.target.checked }) });
  $("settings").replaceChildren(h("label", { for: "locale" }, say("{name}’s language", { name: user.name })), language, h("label", { class: "check" }, acceptsDms, say("Accepts direct messages")));
}

/** Draw the person switcher, at the top and in the drawer. */
export function drawPeople(switchPerson) {
  const people = [...state.users.values()].filter((user) => !user.bot);
  $("people").replaceChildren(...people.map((user) => seat(user, switchPerson, "")));
  $("people-drawer").replaceChildren(...people.map((user) => seat(user, switchPerson, "drawer-")));
  const menu = $("menu");
  menu.replaceChildren(icon("menu"), ...(me() ? [avatar(me(), "small")] : []));
}

function seat(user, switchPerson, prefix) {
  const current = user.id === state.me;
  const mentions = state.mentions[user.id] ?? 0;
  const role = user.spectator ? say("spectator") : say("player");
  const tab = say("Open {name} in a separate tab", { name: user.name });
  return h(
    "div",
    { class: current ? "seat current" : "seat" },
    h(
      "button",
      {
        type: "button",
        class: "seat-button",
        "aria-pressed": current ? "true" : "false",
        "aria-label": [user.name, role, ...(mentions ? [say("{count} waiting", { count: mentions })] : [])].join(", "),
        title: user.spectator ? `${user.name} (${role})` : user.name,
        dataset: { testid: `${prefix}person-${user.slug}` },
        onclick: () => switchPerson(user.slug),
      },
      h("span", { class: "face" }, avatar(user), mentions && !current ? h("span", { class: "badge" }, String(mentions)) : null),
      h("span", { class: "name" }, user.name),
      user.spectator ? icon("eye") : null,
    ),
    h(
      "a",
      {
        class: "seat-tab",
        href: `/?as=${encodeURIComponent(user.slug)}`,
        target: "_blank",
        "aria-label": tab,
        title: tab,
        dataset: { testid: `${prefix}person-${user.slug}-tab` },
      },
      icon("tab"),
    ),
  );
}
