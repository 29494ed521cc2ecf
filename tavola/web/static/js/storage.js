// @ts-check
// What this browser remembers: a comfort that may be full, forbidden or missing. Nothing here throws. What cannot be
// kept is remembered as long as the page is open.

const TRIAL = "tavola.trial", LONG = "kept".repeat(100); // as long as anything that pages rest on

class Memory {
  /** `name`: what the browser calls it. */
  constructor(name) {
    this.name = name;
    /** @type {Map<string, string | null>} */
    this.unkept = new Map();
  }

  /** Where site data is blocked this throws, or is null. @returns {Storage} */
  get storage() {
    return /** @type {any} */ (window)[this.name];
  }

  /** @param {string} key @returns {string | null} */
  read(key) {
    if (this.unkept.has(key)) return this.unkept.get(key);
    try {
      return this.storage.getItem(key);
    } catch {
      return null;
    }
  }

  /** What `keep` was given as JSON; null where that cannot be read. @param {string} key @returns {any} */
  parsed(key) {
    try {
      return JSON.parse(this.read(key) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string} text @returns {boolean} whether it is there when the page is loaded again */
  keep(key, text) {
    this.unkept.set(key, text);
    try {
      this.storage.setItem(key, text);
      this.unkept.delete(key);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {string} key */
  forget(key) {
    this.unkept.set(key, null);
    try {
      this.storage.removeItem(key);
      this.unkept.delete(key);
    } catch { /* it cannot be read again either, or stays until the browser lets go of it */ }
  }

  /** Whether what is kept now is there when the page is loaded again. */
  lasts() {
    const kept = this.keep(TRIAL, LONG);
    this.forget(TRIAL);
    return kept;
  }
}

/** Kept on this device. */
export const device = new Memory("localStorage");

/** Kept until this tab is closed. */
export const tab = new Memory("sessionStorage");
