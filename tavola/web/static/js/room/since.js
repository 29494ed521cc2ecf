// @ts-check
// What has happened since the player's last visit: played on request, and marked as seen when the page is left.

import { show } from "../site/page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const room = () => document.getElementById("room");
const offer = () => room()?.querySelector("#since");
let lookingBack = false, missed = false;

/** Whether the page shows earlier events. */
export const isLookingBack = () => lookingBack;

/** Note a change; it is missed if the page is hidden. */
export function noteHidden() {
  missed ||= document.hidden;
}

/** `queue`: of messages that are being shown. */
export function enterSince(queue) {
  document.addEventListener("visibilitychange", () => (document.hidden ? lookAway() : comeBack()));
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement} */ (event.target.closest?.("[data-since]"));
    if (!link || still.matches || event.ctrlKey || event.metaKey || event.shiftKey) return; // without motion the link opens a page to read
    event.preventDefault();
    lookBack(queue, link).catch(() => location.assign(link.href));
  });
  document.addEventListener("commit", () => { decided(); });
  document.addEventListener("submit", (event) => {
    if (/** @type {HTMLFormElement} */ (event.target).dataset.live === "play") decided();
  });
}

async function lookBack(queue, link) {
  if (queue.playing || lookingBack) return;
  const answer = await fetch(link.href, { headers: { Accept: "application/json" } });
  if (!answer.ok || !answer.headers.get("content-type")?.startsWith("application/json")) throw new Error("nothing to show");
  lookingBack = true;
  try {
    await queue.add(await answer.json());
    if (link.dataset.since !== "one") await seen();
  } finally {
    lookingBack = false;
  }
  await show(location.href);
}

/** A player who decides has seen the present state. */
function decided() {
  if (!offer()) return;
  offer().remove();
  seen();
}

const seen = () => fetch(room().dataset.seen, { method: "POST", keepalive: true }).catch(() => {}); // on failure the events are offered again

/** Offered events that were not played are offered again. */
function lookAway() {
  if (room()?.dataset.seen && !offer() && !missed) navigator.sendBeacon(room().dataset.seen);
}

function comeBack() {
  if (missed && room()?.dataset.days) show(location.href).catch(() => {});
  missed = false;
}
