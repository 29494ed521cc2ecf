// @ts-check
// What this browser stores, which may be full, forbidden or missing. Nothing here throws. Values that cannot be stored
// are kept while the page is open.

const TRIAL = "tavola.trial", LONG = "kept".repeat(100); // as long as any value that pages depend on

class Memory {
  /** `name`: the browser's name for the storage. */
  constructor(name) {
    this.name = name;
    /** @type {Map<string, string | null>} */
    this.unkept = new Map();
  }

  /** The storage; if site data is blocked, this throws or is null. @returns {Storage} */
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

  /** The value that `keep` was given as JSON; null if it cannot be read. @param {string} key @returns {any} */
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
    } catch { /* it cannot be read either, or remains until the browser deletes it */ }
  }

  /** Whether values stored now are there when the page is loaded again. */
  lasts() {
    const kept = this.keep(TRIAL, LONG);
    this.forget(TRIAL);
    return kept;
  }
}

/** Stored on this device. */
export const device = new Memory("localStorage");

/** Stored until this tab is closed. */
export const tab = new Memory("sessionStorage");
