/** The connection to the server: events come in, actions go out and are answered. */

import { say } from "./words.js";

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 5000;

/** A refusal by the server, translated; `source` is the English message without parameters. */
export class Refused extends Error {
  constructor({ message, params }) {
    const text = say(message, params);
    super(text.charAt(0).toUpperCase() + text.slice(1));
    this.source = message;
  }
}

export class Connection {
  /** `onEvent(event)` gets every event, `onState(connected)` every change of the line. */
  constructor(onEvent, onState) {
    this.onEvent = onEvent;
    this.onState = onState;
    this.waiting = new Map();
    this.lastId = 0;
    this.wait = FIRST_WAIT_MS;
    this.slug = null;
  }

  /** Look through another person's eyes. */
  open(slug) {
    this.slug = slug;
    clearTimeout(this.timer);
    if (this.socket) {
      this.socket.onclose = this.socket.onmessage = null;
      this.socket.close();
    }
    this.forgetWaiting();
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
    this.forgetWaiting();
    this.timer = setTimeout(() => this.open(this.slug), this.wait);
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
  }

  forgetWaiting() {
    for (const { reject } of this.waiting.values()) reject(new Error(say("Connection lost.")));
    this.waiting.clear();
  }

  receive(event) {
    if (event.t === "hello") {
      this.wait = FIRST_WAIT_MS;
      this.onState(true);
    }
    if (event.t !== "done") {
      this.onEvent(event);
      return;
    }
    const waiting = this.waiting.get(event.id);
    this.waiting.delete(event.id);
    if (!waiting) return;
    if (event.error) waiting.reject(new Refused(event.error));
    else waiting.resolve(event.result);
  }

  /** Do something; resolves with the result, rejects with words to show. */
  act(what, values = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error(say("Not connected. Try again in a moment.")));
    }
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ ...values, id, do: what }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}
