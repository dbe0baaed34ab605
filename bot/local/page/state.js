/** What the page knows: users, channels, messages of the open channel, commands. */

export const state = {
  me: null,
  users: new Map(),
  channels: new Map(),
  commands: [],
  /** The languages that the bot speaks. */
  languages: [],
  calls: {},
  online: false,
  server: "",
  /** The servers of whoever looks. */
  servers: [],
  /** The id of the open channel. */
  open: null,
  /** Messages of the open channel by id, in order. */
  messages: new Map(),
  more: false,
  /** The id of the first message that was unread when the channel was opened. */
  firstUnread: null,
};

/** Who looks. */
export const me = () => state.users.get(state.me);

/** The open channel. */
export const here = () => state.channels.get(state.open);

/** How `markdown` finds names. */
export const names = {
  user: (id) => state.users.get(id),
  channel: (id) => state.channels.get(id),
  get me() {
    return state.me;
  },
};

/** The id of the channel that a link to a channel or message points to, or `null`. */
export function channelOfLink(address) {
  return /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)/.exec(address)?.[1] ?? null;
}

/** Same-origin path of an attachment, whatever name of this machine its address uses. */
export function localUrl(address) {
  const url = new URL(address, location.href);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname) && url.port === location.port;
  return isHere ? url.pathname : address;
}
