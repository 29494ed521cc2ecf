// @ts-check
// The line to the room: commands with ids that may be sent again, a heartbeat, and reconnection with patience. Where a
// network forbids sockets the same messages go by requests, and the room is asked for changes every few seconds.

import { newId } from "./post.js";

const FIRST_WAIT = 400, LONGEST_WAIT = 8000, HEARTBEAT = 20000, SILENCE = 8000;
const OPENING = 4000; // milliseconds in which a socket opens, or is given up
const TRIES = 2; // sockets that fail one after the other before the room is polled
const POLL = 2000, POLL_HIDDEN = 10000, NEXT_TRY = 30000; // between two polls, and two tries to have a socket again
const UNANSWERED = 3000, UNOPENED = 300; // milliseconds after which a command goes by a request, too
const REQUEST = 10000;
const CONNECTING = 0, OPEN = 1; // as in WebSocket, where there may be none

export class Line {
  /**
   * `hooks`: received(message), refused(message, command), lost(), opened() when it is back, polled() when requests take
   * its place, found() → a promise of what the page has: the page is fetched again before it.
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
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  /** The page goes away; a line that is not open yet goes with it. */
  leave() {
    this.ended = true;
    if (this.isOpen) this.socket.close();
  }

  get isOpen() {
    return this.socket?.readyState === OPEN;
  }

  /** `have`: the screen that the page shows. */
  open(have) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.have = have;
    this.tried = true;
    this.proven = false; // until something has come over it: some networks let it open, and nothing through
    try {
      this.socket = new WebSocket(`${scheme}//${location.host}${this.path}?have=${have}&language=${document.documentElement.lang}`);
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
    socket.onclose = () => { if (socket === this.socket) this.lost(); };
  }

  /** It neither opens nor fails: the next one would not either. */
  giveUp() {
    this.failed = TRIES;
    this.drop();
  }

  /** Something came over the socket: it works. */
  hear(text) {
    clearTimeout(this.silence);
    if (!this.proven) this.prove();
    const message = JSON.parse(text);
    if (message.type === "pong") return;
    if (message.type === "echo") return this.socket.send(text); // at once: by this the way there and back is measured
    this.take(message);
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

  /** Send a command until it is answered, over as many lines as that takes; where none is open, by a request. */
  send(message) {
    const command = { ...message, command_id: newId() };
    this.waiting.set(command.command_id, command);
    if (this.isOpen) this.socket.send(JSON.stringify(command));
    setTimeout(() => this.waiting.has(command.command_id) && this.exchange(), this.patience);
    return command.command_id;
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

  /** Ask whether the other side is there; a line that does not answer is dropped. */
  check() {
    if (!this.isOpen) return this.hurry();
    this.socket.send('{"type":"ping"}');
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.drop(), SILENCE);
  }

  /** Give the socket up. One that is still opening is closed once it is open: browsers report it as a fault before. */
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

  tellLost() {
    this.away = true;
    this.hooks.lost();
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

  // Where there is no socket

  /** Ask for changes every few seconds, until a socket opens. */
  poll() {
    if (this.polling) return;
    this.polling = this.away = true;
    this.hooks.polled();
    this.round();
  }

  async round() {
    await this.exchange();
    if (this.polling && !this.ended) this.polls = setTimeout(() => this.round(), document.hidden ? POLL_HIDDEN : POLL);
  }

  /** Send what waits by a request, and take what has changed; one after the other. */
  exchange() {
    this.asking = (this.asking ?? Promise.resolve()).then(() => this.request());
    return this.asking;
  }

  async request() {
    const sent = [...this.waiting.values()];
    if (this.ended || (!sent.length && !this.polling)) return;
    // A plan shows what is not so: what is so afterwards is asked for as a whole.
    const have = sent.some(({ type }) => type === "plan") ? this.have.replace(/\..*/, ".") : this.have;
    try {
      const answer = await fetch(this.path.replace(/socket$/, "exchange"), {
        method: "POST",
        body: JSON.stringify({ have, language: document.documentElement.lang, messages: sent }),
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(REQUEST),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      const told = await answer.json();
      if (!told.messages.some(({ type }) => type === "page")) this.have = told.have;
      told.messages.forEach((message) => this.take(message));
      if (this.unheard && this.polling) this.hooks.polled();
      this.unheard = false;
    } catch {
      if (this.polling && !this.ended && !this.unheard) this.tellLost();
      this.unheard = true;
    }
  }
}
