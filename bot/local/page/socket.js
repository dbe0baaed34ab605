/** The websocket to the server, for events and actions. */

import { say } from "./words.js";

const MIN_RETRY_MS = 400;
const MAX_RETRY_MS = 5000;

/** A refusal by the server, translated; `source` is the English message without parameters. */
export class Refused extends Error {
  constructor({ message, params }) {
    const text = say(message, params);
    super(text.charAt(0).toUpperCase() + text.slice(1));
    this.source = message;
  }
}

export class Connection {
  /** Calls `onEvent(event)` and `onState(connected)`. */
  constructor(onEvent, onState) {
    this.onEvent = onEvent;
    this.onState = onState;
    this.pending = new Map();
    this.lastId = 0;
    this.retryMs = MIN_RETRY_MS;
    this.slug = null;
  }

  /** Connect as a person. */
  open(slug) {
    this.slug = slug;
    clearTimeout(this.timer);
    if (this.socket) {
      this.socket.onclose = this.socket.onmessage = null;
      this.socket.close();
    }
    this.rejectPending();
    const address = new URL("/page/ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("as", slug);
    address.searchParams.set("server", new URLSearchParams(location.search).get("server") ?? "");
    this.socket = new WebSocket(address);
    this.socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    this.socket.onclose = () => this.retry();
  }

  retry() {
    this.onState(false);
    this.rejectPending();
    this.timer = setTimeout(() => this.open(this.slug), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 1.7, MAX_RETRY_MS);
  }

  rejectPending() {
    for (const { reject } of this.pending.values()) reject(new Error(say("Connection lost.")));
    this.pending.clear();
  }

  receive(event) {
    if (event.t === "hello") {
      this.retryMs = MIN_RETRY_MS;
      this.onState(true);
    }
    if (event.t !== "done") {
      this.onEvent(event);
      return;
    }
    const action = this.pending.get(event.id);
    this.pending.delete(event.id);
    if (!action) return;
    if (event.error) action.reject(new Refused(event.error));
    else action.resolve(event.result);
  }

  /** Send an action; resolves with its result, rejects with an `Error` to show. */
  act(action, values = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error(say("Not connected. Try again in a moment.")));
    }
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ ...values, id, do: action }));
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }
}
