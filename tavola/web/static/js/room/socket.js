// @ts-check
// The connection to the room: commands with ids that can be repeated, a heartbeat, and reconnection with increasing
// delays. If a network blocks sockets, the same messages are sent by requests, and the room is polled every few
// seconds.

import { CLOSED } from "../site/page.js";
import { newId } from "../site/post.js";

const FIRST_WAIT = 400, LONGEST_WAIT = 8000, HEARTBEAT = 20000, SILENCE = 8000;
const OPENING = 4000; // milliseconds in which a socket must open
const TRIES = 2; // sockets that fail in a row before the room is polled
const POLL = 2000, POLL_HIDDEN = 10000, NEXT_TRY = 30000; // milliseconds between two polls, and between two tries to open a socket
const UNANSWERED = 3000, UNOPENED = 300; // milliseconds after which a command is also sent by a request
const REQUEST = 10000;
const LIMIT = 4029, TOO_MANY_REQUESTS = 429; // a close code and a status of the server's limits
const CONNECTING = 0, OPEN = 1; // as in WebSocket, which may be missing

const isPatch = (value) => typeof value[0] === "number";

/** A text or a list after a patch: triples of a start, an end, and what replaces the characters or entries between. */
export function patched(before, patch) {
  let made = before.slice(0, 0), at = 0;
  for (let triple = 0; triple < patch.length; triple += 3) {
    made = made.concat(before.slice(at, patch[triple]), patch[triple + 2]);
    at = patch[triple + 1];
  }
  return made.concat(before.slice(at));
}

export class Line {
  /**
   * `hooks`: received(message), refused(message, command), lost(sentence) with the server's reason if it gave one,
   * opened() after a reconnection, polled(limited) when polling begins, found() → a promise of the page's screen, after
   * fetching the page again.
   */
  constructor(path, hooks) {
    this.path = path;
    this.hooks = hooks;
    this.waiting = new Map();
    this.wait = FIRST_WAIT;
    this.failed = 0;
    this.ended = this.polling = this.away = false;
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.ping() : this.check()));
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  /** The page is left: close the connection, even one that is still opening. */
  leave() {
    this.ended = true;
    if (this.isOpen) this.socket.close();
  }

  get isOpen() {
    return this.socket?.readyState === OPEN;
  }

  /** The page without its screen: the server then sends the whole screen, whatever the page shows by now. */
  get pageOnly() {
    return this.have.replace(/\..*/, ".");
  }

  /** `have`: the screen that the page shows. While the room is polled, it changes until the socket passes something. */
  open(have) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.have = have;
    this.tried = true;
    this.proven = false; // until a message arrives: some networks let sockets open, but pass nothing
    this.texts = new Map(); // what this socket has received: later messages have patches of it
    try {
      this.socket = new WebSocket(`${scheme}//${location.host}${this.path}?have=${this.polling ? this.pageOnly : have}&patches=related&language=${document.documentElement.lang}`);
    } catch {
      return this.lost();
    }
    const { socket } = this;
    this.opening = setTimeout(() => this.giveUp(), this.polling ? NEXT_TRY : OPENING);
    socket.onopen = () => {
      clearTimeout(this.opening);
      this.waiting.forEach((message) => socket.send(JSON.stringify(message)));
      this.beat();
    };
    socket.onmessage = (event) => { if (socket === this.socket) this.hear(event.data); };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      this.limited = code === LIMIT;
      if (this.limited) this.failed = TRIES;
      this.lost();
    };
  }

  /** The socket neither opens nor fails: a new one would not either. */
  giveUp() {
    this.failed = TRIES;
    this.drop();
  }

  /** A message has arrived: the socket works. */
  hear(text) {
    clearTimeout(this.silence);
    if (!this.proven) this.prove();
    const message = JSON.parse(text);
    if (message.type === "pong") return;
    if (message.type === "echo") return this.socket.send(text); // at once: the server measures the round trip
    this.complete(message);
    this.take(message);
  }

  /** Replace the patches in a message by whole texts and orders. */
  complete(message) {
    for (const part of message.frames ?? [message]) {
      for (const kind of ["fragments", "order"]) {
        for (const [name, value] of Object.entries(part[kind] ?? {})) {
          const key = `${kind} ${name}`;
          if (isPatch(value)) part[kind][name] = patched(this.texts.get(key), value);
          else if (kind === "fragments" && Array.isArray(value)) part[kind][name] = this.likeAnother(name, value);
          this.texts.set(key, part[kind][name]);
        }
      }
    }
  }

  /** A text that was sent as a patch of another in its list, after the id of that one. */
  likeAnother(name, value) {
    const [id, ...patch] = value;
    return patched(this.texts.get(`fragments ${name.slice(0, name.indexOf(":") + 1)}${id}`), patch);
  }

  prove() {
    this.proven = true;
    this.failed = 0;
    this.wait = FIRST_WAIT;
    this.polling = false;
    clearTimeout(this.polls);
    if (this.away) this.hooks.opened();
    this.away = false;
  }

  /** Send a command until it is answered, over as many connections as needed; by a request if none is open. */
  send(message) {
    const command = { ...message, command_id: newId() };
    this.waiting.set(command.command_id, command);
    if (this.isOpen) this.socket.send(JSON.stringify(command));
    setTimeout(() => this.waiting.has(command.command_id) && this.resend(), this.patience);
    return command.command_id;
  }

  /** A command is unanswered: send it by a request, too, and check whether the socket still passes anything. */
  resend() {
    if (this.isOpen && !this.polling) this.check();
    this.exchange();
  }

  get patience() {
    if (this.polling) return 0;
    return this.isOpen ? UNANSWERED : UNOPENED;
  }

  take(message) {
    const command = this.waiting.get(message.command_id);
    if (message.type === "acknowledged" || message.type === "refused") this.waiting.delete(message.command_id);
    if (message.type === "refused") this.hooks.refused(message, command);
    else this.hooks.received(message);
  }

  beat() {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.check(), HEARTBEAT);
    this.check();
  }

  /** Check that the other side answers; otherwise drop the connection. */
  check() {
    if (!this.isOpen) return this.hurry();
    this.ping();
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.drop(), SILENCE);
  }

  /** Ask for a sign, and tell whether this page is hidden, as on a locked phone. */
  ping() {
    if (this.isOpen) this.socket.send(document.hidden ? '{"type":"ping","hidden":true}' : '{"type":"ping"}');
  }

  /** Close the socket. One that is still opening is closed when it is open, because browsers report an error before. */
  drop() {
    const { socket } = this;
    if (!socket) return;
    if (socket.readyState === CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
    this.lost();
  }

  lost() {
    clearInterval(this.pulse);
    clearTimeout(this.silence);
    clearTimeout(this.opening);
    this.socket = null;
    if (this.ended) return;
    if (this.tried) this.failed = this.proven ? 0 : this.failed + 1;
    this.tried = false;
    if (this.failed >= TRIES) this.poll();
    else this.tellLost();
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.again(), this.polling ? NEXT_TRY : this.wait * (0.5 + Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  tellLost(sentence = "") {
    this.away = true;
    this.hooks.lost(sentence);
  }

  hurry() {
    if (this.polling) this.exchange();
    if (this.socket || this.ended || !this.retry) return;
    clearTimeout(this.retry);
    this.wait = FIRST_WAIT;
    this.again();
  }

  async again() {
    this.retry = null;
    try {
      this.open(this.polling ? this.have : await this.hooks.found());
    } catch {
      this.lost();
    }
  }

  // Without a socket

  /** Poll every few seconds, until a socket opens. */
  poll() {
    if (this.polling) return;
    this.polling = this.away = true;
    this.hooks.polled(this.limited);
    this.round();
  }

  async round() {
    await this.exchange();
    const rarely = document.hidden || this.unheard;
    if (this.polling && !this.ended) this.polls = setTimeout(() => this.round(), rarely ? POLL_HIDDEN : POLL);
  }

  /** Send queued commands by a request and receive changes; one request at a time. */
  exchange() {
    this.asking = (this.asking ?? Promise.resolve()).then(() => this.request());
    return this.asking;
  }

  /**
   * Take the answer to a request. It may be older than what an open socket has shown meanwhile, or the page with which
   * a new one begins: then only the answers to commands count.
   */
  takeAnswer({ have, messages }, socket) {
    const late = socket !== this.socket || (this.isOpen && !this.polling);
    if (!late && !messages.some(({ type }) => type === "page")) this.have = have;
    messages.filter(({ command_id }) => command_id || !late).forEach((message) => this.take(message));
  }

  async request() {
    const sent = [...this.waiting.values()], { socket } = this;
    if (this.ended || (!sent.length && !this.polling)) return;
    let reason = "";
    // A plan changes the screen but not the match: ask for the whole screen afterwards.
    const have = sent.some(({ type }) => type === "plan") ? this.pageOnly : this.have;
    try {
      const answer = await fetch(this.path.replace(/socket$/, "exchange"), {
        method: "POST",
        body: JSON.stringify({ have, language: document.documentElement.lang, messages: sent }),
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(REQUEST),
      });
      if (CLOSED.includes(answer.status)) location.reload();
      if (answer.status === TOO_MANY_REQUESTS) reason = (await answer.json()).sentence;
      if (!answer.ok) throw new Error(String(answer.status));
      this.takeAnswer(await answer.json(), socket);
      if (this.unheard && this.polling) this.hooks.polled(this.limited);
      this.unheard = false;
    } catch {
      if (this.polling && !this.ended && !this.unheard) this.tellLost(reason);
      this.unheard = true;
    }
  }
}
