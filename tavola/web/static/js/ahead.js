// @ts-check
// Ballots that follow one another whatever others play: all are chosen on the page before the first is cast, and each is
// sent when it is asked. The server hears of none before, so that nobody can learn from it.

import { tab } from "./storage.js";

const KEPT = "tavola.unsent"; // which room's page had laid what it had not sent: a page that is loaded anew says so

/**
 * One thing that may be laid: its code, whole label and short words, and the piece of the hand that it takes.
 * @typedef {{ code: string, label: string, words: string[], piece: string }} Card
 */

export class Ahead {
  /** @type {Card[][]} the present ballot first */
  ballots = [];
  /** @type {Record<string, number>} */
  pieces = {};
  asks = {};
  /** @type {Map<number, string>} codes by the place of their ballot, counted from the last one: that stays the same */
  laid = new Map();
  going = false; // Play was pressed: what is laid is sent when it is asked
  sending = 0; // the place of what has just been sent

  /** What is asked now: ballots that can be foreseen, or something else. */
  ask(told) {
    const before = this.ballots.length;
    this.ballots = told?.ballots ?? [];
    this.pieces = told?.pieces ?? {};
    this.asks = told?.asks ?? {};
    this.sending = 0;
    if (!this.ballots.length || this.ballots.length > before) this.forget();
    for (const place of this.laid.keys()) if (place > this.ballots.length) this.laid.delete(place); // they are cast
    for (const [place, code] of this.laid) if (!this.fits(place, code)) this.laid.delete(place);
    this.keep();
  }

  forget() {
    this.laid.clear();
    this.going = false;
  }

  /** Whether several ballots are chosen together now. */
  get on() {
    return this.ballots.length > 1 || (this.ballots.length > 0 && this.laid.size > 0);
  }

  at(place) {
    return this.ballots[this.ballots.length - place] ?? [];
  }

  get places() {
    return this.ballots.map((_, at) => this.ballots.length - at);
  }

  /** The first ballot for which nothing is laid; 0 where all have something. */
  get next() {
    return this.places.find((place) => !this.laid.has(place)) ?? 0;
  }

  get whole() {
    return this.on && !this.next;
  }

  card(place, code) {
    return this.at(place).find((card) => card.code === code);
  }

  /** Whether a card may be laid for a ballot, in place of what lies there: every other ballot must still find one. */
  fits(place, code) {
    const left = { ...this.pieces }, laid = new Map([...this.laid, [place, code]]);
    for (const [at, chosen] of laid) {
      const card = this.card(at, chosen);
      if (!card || !left[card.piece]) return false;
      left[card.piece] -= 1;
    }
    return finds(this.places.filter((at) => !laid.has(at)).map((at) => this.at(at)), left);
  }

  /** What may be laid for a ballot. */
  options(place) {
    return this.at(place).filter(({ code }) => this.fits(place, code));
  }

  /** The codes that may be laid now, for any of the ballots that have not been sent, with the places of these. */
  get open() {
    const free = this.places.filter((place) => place !== this.sending);
    return new Map(free.flatMap((place) => this.options(place).map(({ code }) => [code, place])));
  }

  lay(code) {
    const place = this.open.get(code);
    if (place) this.laid.set(place, code);
    this.keep();
  }

  /** Take up what lies for a ballot, or for the last one that has something. */
  take(place = this.cards.at(-1)?.place) {
    const did = place !== this.sending && this.laid.delete(place);
    this.keep();
    return did;
  }

  /** What lies and has not been sent, in the order in which it is asked. */
  get cards() {
    return this.places.filter((place) => this.laid.has(place) && place !== this.sending).map((place) => ({ place, ...this.card(place, this.laid.get(place)) }));
  }

  /** What is to be sent for the present ballot. */
  get due() {
    return this.going ? this.laid.get(this.ballots.length) : undefined;
  }

  /** What lies for the present ballot is on its way; `false`: it has come back. */
  send(goes = true) {
    this.sending = goes ? this.ballots.length : 0;
    this.keep();
  }

  keep() {
    if (this.cards.length) tab.keep(KEPT, location.pathname);
    else tab.forget(KEPT);
  }
}

/**
 * Whether each of these ballots finds a card of its own among the pieces that are left.
 * @returns {boolean}
 */
function finds(/** @type {Card[][]} */ ballots, /** @type {Record<string, number>} */ left) {
  const [first, ...others] = ballots;
  if (!first) return true;
  return first.some(({ piece }) => left[piece] > 0 && finds(others, { ...left, [piece]: left[piece] - 1 }));
}

/** Whether the page that was here before had laid what it never sent: it is gone. Told once. */
export function lostCards() {
  const lost = tab.read(KEPT) === location.pathname;
  tab.forget(KEPT);
  return lost;
}
