/** State of the page: users, channels, commands, and messages of the open channel. */

export const state = {
  me: null,
  users: new Map(),
  channels: new Map(),
  commands: [],
  /** Locales of the bot. */
  languages: [],
  /** Unread pings by user id. */
  mentions: {},
  online: false,
  server: "",
  /** Servers of the person. */
  servers: [],
  /** Id of the open channel. */
  open: null,
  /** Messages of the open channel by id, in order. */
  messages: new Map(),
  more: false,
  /** Id of the first message that was unread when the channel was opened. */
  firstUnread: null,
};

/** The person who uses the page. */
export const me = () => state.users.get(state.me);

/** The open channel. */
export const currentChannel = () => state.channels.get(state.open);

/** Lookups for `markdown`. */
export const names = {
  user: (id) => state.users.get(id),
  channel: (id) => state.channels.get(id),
  get me() {
    return state.me;
  },
};

/** Return the channel id in a link to a channel or message, or `null`. */
export function channelOfLink(address) {
  return /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)/.exec(address)?.[1] ?? null;
}

/** Return the same-origin path of an attachment, as its URL may use another loopback name. */
export function localUrl(address) {
  const url = new URL(address, location.href);
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname) && url.port === location.port;
  return isLocal ? url.pathname : address;
}
