// @ts-check
// The offer to keep the player's seat, above the table, once per device.

import "./keep.js";
import { open } from "./sheet.js";
import { device } from "./storage.js";

const OFFERED = "tavola.seat", PEACE = 3000; // milliseconds without a press
let offering;

/**
 * Offer to keep the seat after the first match on this device, when no one is pressing anything; later a link does so.
 * There is no offer if the site has no way to keep seats.
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
