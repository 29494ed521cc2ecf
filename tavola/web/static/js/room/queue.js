// @ts-check
// Shows the server's messages in order. Frames of a scene last for their time, and later messages are queued.

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Queue {
  /**
   * `show(message)` shows a message and may return a promise; `scene(playing, next)` is called when a scene begins or
   * ends, with the message that follows. Before another page, a scene ends only when that page is shown: until then
   * the last question and its choices are still there, and must neither be seen nor pressed.
   */
  constructor(show, scene) {
    this.show = show;
    this.scene = scene;
    this.waiting = [];
    this.playing = false;
    this.followed = false; // the message after the scene is on its way
    this.closed = false; // all cards are face down, which a press cannot skip
    document.addEventListener("visibilitychange", () => document.hidden && this.skip({ all: true }));
    still.addEventListener("change", () => still.matches && this.skip({ all: true }));
  }

  /** `followed`: the scene ends only with the next message, and shows its last frame until then. */
  add(message, { followed = false } = {}) {
    if (message.type === "scene") this.followed = followed;
    if (message.type === "scene") this.waiting.push(...message.frames.map((frame) => ({ type: "frame", ...frame })));
    else this.waiting.push(message);
    if (this.waiting.length) this.running ??= this.run();
    return this.running;
  }

  /**
   * Skip to the end: the remaining frames are shown at once. Unless `all` is skipped, stop where the next cards are
   * face down, because no one has seen them yet.
   */
  skip({ all = false } = {}) {
    this.hurried = this.playing;
    this.all = this.playing && all;
    this.release?.();
    if (this.playing && all && !this.running) this.turn(false);
  }

  async run() {
    while (this.waiting.length) {
      const message = this.waiting.shift();
      const staged = message.type === "frame", leaves = this.playing && message.type === "page";
      if (staged !== this.playing && !leaves) this.turn(staged, message);
      this.closed = Boolean(staged && message.closed);
      if (this.closed && !this.all) this.hurried = false;
      try {
        await this.show(message, this.hurried);
      } catch (error) {
        console.error(error);
      }
      if (leaves) this.turn(false);
      if (staged) await this.stay(message.milliseconds);
    }
    if (this.playing && !this.followed) this.turn(false);
    this.running = null;
  }

  turn(playing, next) {
    this.playing = playing;
    if (!playing) this.hurried = this.all = this.closed = false;
    try {
      this.scene(playing, next);
    } catch (error) {
      console.error(error); // later messages must be shown all the same
    }
  }

  stay(milliseconds) {
    if (this.hurried || still.matches || document.hidden) return null;
    return new Promise((resolve) => {
      const end = setTimeout(resolve, milliseconds);
      this.release = () => { clearTimeout(end); resolve(); };
    });
  }
}
