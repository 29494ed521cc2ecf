// @ts-check
// Notifications on this device: the browser asks for permission only after the user turns them on.

import { ROOT, bytes, post } from "../site/post.js";

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-push]"));
const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

async function mark(address) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 20);
}

/** @param {ArrayBuffer | null} one @param {Uint8Array} other */
function same(one, other) {
  return one !== null && new Uint8Array(one).join() === other.join();
}

async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration(`${ROOT}/`);
  return await registration?.pushManager.getSubscription() ?? null;
}

/** Whether this browser is notified: it has a subscription for the site's key that belongs to this account. */
async function isOn() {
  const subscription = await subscribed();
  if (subscription === null || !same(subscription.options.applicationServerKey, bytes(place.dataset.push))) return false;
  return place.dataset.known.split(" ").includes(await mark(subscription.endpoint));
}

function show(on, said = "") {
  for (const button of place.querySelectorAll("button")) button.hidden = (button.dataset.pushTurn === "on") === on;
  place.querySelector("p").textContent = said;
}

async function turnOn() {
  if (await Notification.requestPermission() !== "granted") return show(false, place.dataset.refused);
  await navigator.serviceWorker.register(`${ROOT}/worker.js`);
  const { pushManager } = await navigator.serviceWorker.ready, key = bytes(place.dataset.push);
  const before = await pushManager.getSubscription();
  if (before && !same(before.options.applicationServerKey, key)) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await post("/push", made.toJSON());
  place.dataset.known += ` ${await mark(made.endpoint)}`;
  return show(true, place.dataset.on);
}

async function turnOff() {
  const subscription = await subscribed();
  if (subscription) {
    await post("/push/off", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  if (!isInstalled()) await (await navigator.serviceWorker.getRegistration(`${ROOT}/`))?.unregister();
  show(false, place.dataset.off);
}

async function turn(button) {
  button.disabled = true;
  try {
    await (button.dataset.pushTurn === "on" ? turnOn() : turnOff());
  } catch (error) {
    place.querySelector("p").textContent = error.sentence ?? place.dataset.trouble;
  }
  button.disabled = false;
  place.querySelector("button:not([hidden])")?.focus();
}

if (place && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  show(await isOn());
  place.addEventListener("click", (event) => {
    const button = event.target.closest("[data-push-turn]");
    if (button) turn(button);
  });
} else if (place) {
  for (const button of place.querySelectorAll("button")) button.hidden = true;
  place.querySelector("p").textContent = place.dataset.missing;
}
