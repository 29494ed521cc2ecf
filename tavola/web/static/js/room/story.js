// @ts-check
// The last screen as a story: replays the decision that settled the match on its board, shares a picture, and offers to
// keep the player's seat, once per device.

import { remember } from "../pages/history.js";
import "../pages/passkeys.js";
import { onPhone, show } from "../site/page.js";
import { open } from "../site/sheet.js";
import { device } from "../site/storage.js";

const OFFERED = "tavola.seat", PEACE = 3000; // milliseconds without a press
const WIDTH = 1200, HEIGHT = 630;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const room = () => document.getElementById("room");
const isOver = () => room()?.classList.contains("over");
let offering;

/** During the replay, what happened replaces the sentence about the winner. */
export function retell(told) {
  const asked = isOver() && told && room().querySelector("#question");
  if (asked) asked.textContent = told;
}

/** `queue`: of messages that are being shown. */
export function enterStory(queue) {
  const settle = () => {
    if (!isOver()) return;
    remember(room());
    offerSeat();
    // On a phone all results are in sight at once; how one came about is a touch away.
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const results = room().querySelectorAll(".final details");
    if (onPhone.matches) results.forEach((result) => { result.open = false; });
  };
  settle();
  document.addEventListener("shown", settle);
  document.addEventListener("click", (event) => {
    const again = event.target.closest?.("[data-again]"), shared = event.target.closest?.("[data-share]");
    if (!isOver() || !(again || shared) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (again && still.matches) return; // without motion the link opens the moment itself
    event.preventDefault();
    (again ? playAgain(queue, again) : share(shared)).catch(() => location.assign(/** @type {HTMLAnchorElement} */ (again ?? shared).href));
  });
}

async function playAgain(queue, link) {
  if (queue.playing) return;
  const answer = await fetch(link.dataset.again);
  if (!answer.ok) throw new Error("this moment cannot be replayed");
  await queue.add(await answer.json());
  await show(location.href);
}

/** Share the picture with the device's share menu, or else save it. */
async function share(link) {
  const drawn = new Image(), name = `${link.dataset.share}.png`;
  drawn.src = link.href;
  await drawn.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d").drawImage(drawn, 0, 0, WIDTH, HEIGHT);
  const picture = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  const files = [new File([picture], name, { type: "image/png" })];
  if (navigator.canShare?.({ files })) return navigator.share({ files }).catch(() => {}); // the user may cancel
  const address = URL.createObjectURL(picture);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/**
 * Offer to keep the seat after the first match on this device, when no one is pressing anything; later a link does so.
 * There is no offer if the site has no way to keep seats.
 */
function offerSeat() {
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
