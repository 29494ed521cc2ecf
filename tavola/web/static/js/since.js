// @ts-check
// What happened since one was here last: played at one touch, and noted as seen when one looks away.

import { show } from "./page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const room = () => document.getElementById("room");
const offer = () => room()?.querySelector("#since");
let lookingBack = false, missed = false;

/** Whether what is shown happened before. */
export const isLookingBack = () => lookingBack;

/** Something has changed: while nobody looks it is missed. */
export function noteHidden() {
  missed ||= document.hidden;
}

/** `queue`: what is being shown. */
export function enterSince(queue) {
  document.addEventListener("visibilitychange", () => (document.hidden ? lookAway() : comeBack()));
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement} */ (event.target.closest?.("[data-since]"));
    if (!link || still.matches || event.ctrlKey || event.metaKey || event.shiftKey) return; // without motion it is read
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
  if (!answer.ok || !answer.headers.get("content-type")?.startsWith("application/json")) throw new Error("nothing to be shown");
  lookingBack = true;
  try {
    await queue.add(await answer.json());
    if (link.dataset.since !== "one") await seen();
  } finally {
    lookingBack = false;
  }
  await show(location.href);
}

/** Whoever decides has looked at what there is. */
function decided() {
  if (!offer()) return;
  offer().remove();
  seen();
}

const seen = () => fetch(room().dataset.seen, { method: "POST", keepalive: true }).catch(() => {}); // then it is offered again

/** What is offered and was not played is offered again. */
function lookAway() {
  if (room()?.dataset.seen && !offer() && !missed) navigator.sendBeacon(room().dataset.seen);
}

function comeBack() {
  if (missed && room()?.dataset.days) show(location.href).catch(() => {});
  missed = false;
}
