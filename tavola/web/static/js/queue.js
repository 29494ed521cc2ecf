// @ts-check
// What the server says, shown in order. The pictures of a scene stay for their time, and what comes meanwhile waits.

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Queue {
  /** `show(message)` shows one message and may return a promise; `scene(playing, next)` is told when scenes begin and end,
   *  and before which message. */
  constructor(show, scene) {
    this.show = show;
    this.scene = scene;
    this.waiting = [];
    this.playing = false;
    this.followed = false; // what comes after the scene is on its way
    this.closed = false; // all cards lie face down: that is not skipped by a press
    document.addEventListener("visibilitychange", () => document.hidden && this.skip({ all: true }));
    still.addEventListener("change", () => still.matches && this.skip({ all: true }));
  }

  /** `followed`: a scene does not end before something comes after it, and if that takes long its last picture stays. */
  add(message, { followed = false } = {}) {
    if (message.type === "scene") this.followed = followed;
    if (message.type === "scene") this.waiting.push(...message.frames.map((frame) => ({ type: "frame", ...frame })));
    else this.waiting.push(message);
    if (this.waiting.length) this.running ??= this.run();
    return this.running;
  }

  /**
   * Straight to the end: the pictures that wait are shown at once, and none stays. Unless `all` is skipped it ends where
   * the next cards lie face down: those have not been seen yet.
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
      const staged = message.type === "frame";
      if (staged !== this.playing) this.turn(staged, message);
      this.closed = Boolean(staged && message.closed);
      if (this.closed && !this.all) this.hurried = false;
      try {
        await this.show(message, this.hurried);
      } catch (error) {
        console.error(error);
      }
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
      console.error(error); // what comes next must be shown all the same
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
