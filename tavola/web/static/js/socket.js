// @ts-check
// The line to the room: commands with ids that may be sent again, a heartbeat, and reconnection with patience.

const FIRST_WAIT = 400, LONGEST_WAIT = 8000, HEARTBEAT = 20000, SILENCE = 8000;

export class Line {
  /** `hooks`: received(message), refused(message, command), lost(), found() → a promise: the page is fetched anew before it. */
  constructor(path, hooks) {
    this.path = path;
    this.hooks = hooks;
    this.waiting = new Map();
    this.wait = FIRST_WAIT;
    this.ended = false;
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  /** The page goes away; a line that is not open yet goes with it. */
  leave() {
    this.ended = true;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.close();
  }

  open(have) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.socket = new WebSocket(`${scheme}//${location.host}${this.path}?have=${have}&language=${document.documentElement.lang}`));
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.waiting.forEach((message) => socket.send(JSON.stringify(message)));
      this.beat();
    };
    socket.onmessage = (event) => { if (socket === this.socket) this.take(JSON.parse(event.data), event.data); };
    socket.onclose = () => { if (socket === this.socket) this.lost(); };
  }

  /** Send a command until it is answered, over as many lines as that takes. */
  send(message) {
    const command = { ...message, command_id: crypto.randomUUID?.() ?? `c-${Date.now()}-${Math.random().toString(36).slice(2)}` };
    this.waiting.set(command.command_id, command);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    return command.command_id;
  }

  take(message, text) {
    clearTimeout(this.silence);
    if (message.type === "pong") return;
    if (message.type === "echo") return this.socket.send(text); // at once: by this the way there and back is measured
    const command = this.waiting.get(message.command_id);
    if (message.type === "acknowledged" || message.type === "refused") this.waiting.delete(message.command_id);
    if (message.type === "refused") this.hooks.refused(message, command);
    else this.hooks.received(message);
  }

  beat() {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.check(), HEARTBEAT);
  }

  /** Ask whether the other side is there; a line that does not answer is dropped. */
  check() {
    if (this.socket?.readyState !== WebSocket.OPEN) return this.hurry();
    this.socket.send('{"type":"ping"}');
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.drop(), SILENCE);
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.close();
      this.lost();
    }
  }

  lost() {
    clearInterval(this.pulse);
    clearTimeout(this.silence);
    this.socket = null;
    if (this.ended) return;
    this.hooks.lost();
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.again(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  hurry() {
    if (this.socket || this.ended || !this.retry) return;
    clearTimeout(this.retry);
    this.wait = FIRST_WAIT;
    this.again();
  }

  async again() {
    this.retry = null;
    try {
      const have = await this.hooks.found();
      this.open(have);
    } catch {
      this.lost();
    }
  }
}
