// @ts-check
// The offer to keep one's seat, over the table, once on a device.

import "./keep.js";
import { open } from "./sheet.js";
import { device } from "./storage.js";

const OFFERED = "tavola.seat", PEACE = 3000; // milliseconds in which nothing was pressed
let offering;

/**
 * Offer to keep the seat when the first match on this device has ended and nobody is busy: a link does so ever after.
 * Where the site can keep nobody there is nothing to offer.
 */
export function offerSeat() {
  clearTimeout(offering);
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".room.over[data-keeps] .keep-offer a"));
  if (!link || "kept" in document.documentElement.dataset || device.read(OFFERED)) return;
  offering = setTimeout(() => {
    if (document.hidden || document.querySelector("dialog[open], .in-scene")) return offerSeat();
    device.keep(OFFERED, "once");
    open(link.href).catch(() => {});
  }, PEACE);
}

for (const busy of ["pointerdown", "keydown"]) document.addEventListener(busy, () => { if (offering) offerSeat(); });
