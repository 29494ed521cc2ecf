// @ts-check
// Touches on pictures. A part carries the codes of the actions it can mean. A drag is two touches, however long the
// part was held first. A part that means nothing now, or is held or pointed at for a while, shows what it is.

import { about, hide } from "../board/bubble.js";
import { PARTS, alter, alters, asks, carry, deaf, isTimed, now, touch } from "./choices.js";
import { pointAt } from "./does.js";
import { byFinger } from "../site/presses.js";
import { showRow } from "./rows.js";

const FAR = 14, LONG = 550;
const codesOf = (/** @type {DOMStringMap} */ { codes }) => codes?.split("|") ?? [];
const room = () => document.getElementById("room");
let from = null, timer;
/** Whether the keyboard moved the focus last: a page that moves under a resting pointer then does not react to it. */
let byKeyboard = false;

const partAt = (target) => target?.closest?.(PARTS);
const thingAt = (target) => partAt(target) ?? target?.closest?.(".picture .piece");

function down(event) {
  hide();
  clearTimeout(timer);
  if (event.button) return;
  const part = partAt(event.target), thing = thingAt(event.target);
  if (part && "quick" in part.dataset && isTimed() && touch(codesOf(part.dataset), { quick: true })) return;
  // The touch means what it meant when it began, even if the page changes meanwhile.
  from = { part, thing, meant: part && { ...part.dataset }, x: event.clientX, y: event.clientY, told: false, far: false, moved: Boolean(event.target.closest(".picture[data-zoom], .picture:has([data-rows])")) };
  part?.classList.add("held");
  timer = setTimeout(() => {
    if (!from || !thing) return;
    from.told = true;
    about(thing);
  }, LONG);
}

function move(event) {
  byKeyboard = false;
  if (!from || from.far || Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
  from.far = true;
  clearTimeout(timer);
  if (from.told) hide();
}

function up(event) {
  clearTimeout(timer);
  const began = from;
  from = null;
  began?.part?.classList.remove("held");
  if (!began) return;
  if (began.far) return began.moved || dragged(began, partAt(document.elementFromPoint(event.clientX, event.clientY)));
  if (began.told) return;
  if (began.part?.classList.contains("clickable") && alters(began.meant)) return alter(began.meant);
  const early = deaf();
  const meant = began.part && touch(codesOf(began.meant), { confirm: "confirm" in began.meant });
  if (early || (meant && !byFinger())) return;
  const sent = room().querySelector('[data-place="actions"] .sent');
  if (began.thing?.isConnected && !sent && (!meant || asks())) about(began.thing, { chosen: meant });
}

/** A drag: two touches if both have a meaning together; otherwise it moves a movable board. */
function dragged({ part: taken, meant }, put) {
  const left = taken && put && taken !== put ? now().meant(codesOf(meant)).left : [];
  if (!left.some((code) => codesOf(put.dataset).includes(code))) return;
  carry(codesOf(meant), codesOf(put.dataset));
}

export function watch(picture) {
  picture.addEventListener("pointerdown", down);
  picture.addEventListener("pointerup", up);
  picture.addEventListener("pointercancel", () => { clearTimeout(timer); from = null; });
}

document.addEventListener("pointermove", move);

/** While a button is pointed at, mark what it means in the picture; while a part is, show its consequence. */
export function point(event) {
  if (event.type === "focusin") byKeyboard = event.target.matches(":focus-visible");
  if (byKeyboard !== (event.type === "focusin")) return; // nor does a focus that a script restores describe anything
  pointAt(codesOf((event.target.closest?.(".choice[data-codes]") ?? partAt(event.target))?.dataset ?? {}));
  const codes = new Set(event.target.closest?.(".choice[data-codes]")?.dataset.codes.split("|") ?? []);
  for (const part of room()?.querySelectorAll(".picture [data-codes]") ?? []) {
    const meant = codes.size > 0 && codesOf(part.dataset).some((code) => codes.has(code));
    part.classList.toggle("pointed", meant);
    if (meant && codes.size === 1) showRow(part);
  }
}
