// @ts-check
// A sequence of ballots that does not depend on other seats: all are chosen on the page before the first is cast, and
// each is sent when it is asked. The server receives none earlier, so nothing can leak.

import { tab } from "../site/storage.js";

const KEPT = "tavola.unsent"; // path of the room whose page had unsent cards, so that a reloaded page can say so

/**
 * A card that can be laid: its code, whole label and short words, and the piece of the hand that it uses.
 * @typedef {{ code: string, label: string, words: string[], piece: string }} Card
 */

export class Ahead {
  /** @type {Card[][]} the present ballot first */
  ballots = [];
  /** @type {Record<string, number>} */
  pieces = {};
  asks = {};
  /** @type {Map<number, string>} codes by place of the ballot, counted from the last one so that it never changes */
  laid = new Map();
  going = false; // Play was pressed: laid cards are sent when they are asked
  sending = 0; // place of the ballot that has just been sent

  /** Take the present question: ballots that can be foreseen, or anything else. */
  ask(told) {
    const before = this.ballots.length;
    this.ballots = told?.ballots ?? [];
    this.pieces = told?.pieces ?? {};
    this.asks = told?.asks ?? {};
    this.sending = 0;
    if (!this.ballots.length || this.ballots.length > before) this.forget();
    for (const place of this.laid.keys()) if (place > this.ballots.length) this.laid.delete(place); // cast ballots
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

  /** The first ballot without a card; 0 if all have one. */
  get next() {
    return this.places.find((place) => !this.laid.has(place)) ?? 0;
  }

  get whole() {
    return this.on && !this.next;
  }

  card(place, code) {
    return this.at(place).find((card) => card.code === code);
  }

  /** Whether a card can be laid for a ballot, replacing its present one, so that every other ballot still finds one. */
  fits(place, code) {
    const left = { ...this.pieces }, laid = new Map([...this.laid, [place, code]]);
    for (const [at, chosen] of laid) {
      const card = this.card(at, chosen);
      if (!card || !left[card.piece]) return false;
      left[card.piece] -= 1;
    }
    return finds(this.places.filter((at) => !laid.has(at)).map((at) => this.at(at)), left);
  }

  /** The cards that can be laid for a ballot. */
  options(place) {
    return this.at(place).filter(({ code }) => this.fits(place, code));
  }

  /** The codes that can be laid now for any ballot not yet sent, with the ballots' places. */
  get open() {
    const free = this.places.filter((place) => place !== this.sending);
    return new Map(free.flatMap((place) => this.options(place).map(({ code }) => [code, place])));
  }

  lay(code) {
    const place = this.open.get(code);
    if (place) this.laid.set(place, code);
    this.keep();
  }

  /** Take back the card of a ballot, or of the last one that has one. */
  take(place = this.cards.at(-1)?.place) {
    const did = place !== this.sending && this.laid.delete(place);
    this.keep();
    return did;
  }

  /** The laid cards that are not sent yet, in the order in which they are asked. */
  get cards() {
    return this.places.filter((place) => this.laid.has(place) && place !== this.sending).map((place) => ({ place, ...this.card(place, this.laid.get(place)) }));
  }

  /** The code to send for the present ballot. */
  get due() {
    return this.going ? this.laid.get(this.ballots.length) : undefined;
  }

  /** Mark the present ballot's card as being sent; `false`: the sending has failed. */
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
 * Whether each of these ballots can have a card of its own from the pieces that are left.
 * @returns {boolean}
 */
function finds(/** @type {Card[][]} */ ballots, /** @type {Record<string, number>} */ left) {
  const [first, ...others] = ballots;
  if (!first) return true;
  return first.some(({ piece }) => left[piece] > 0 && finds(others, { ...left, [piece]: left[piece] - 1 }));
}

/** Whether the previous page in this tab had cards that it never sent, and that are lost. True only once. */
export function lostCards() {
  const lost = tab.read(KEPT) === location.pathname;
  tab.forget(KEPT);
  return lost;
}
