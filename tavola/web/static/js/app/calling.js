// @ts-check
// Notifies players whose turn it is while they look at another page. They are asked once whether they want this, when
// they come back after such a turn.

import { ROOT } from "../site/post.js";
import { device } from "../site/storage.js";

const ANSWER = "tavola.calling";
const offer = () => document.getElementById("calling");
let missed = false, shown = null;

const may = () => "Notification" in window && Notification.permission === "granted" && device.read(ANSWER) === "yes";
const unasked = () => "Notification" in window && Notification.permission !== "denied" && !device.read(ANSWER);

/** Notify the player of their turn: `sentence` is the prompt, `title` the game. */
export async function call(title, sentence) {
  if (!document.hidden) return;
  missed = true;
  if (!may()) return;
  const told = { body: sentence, tag: location.pathname, icon: `${ROOT}/static/icon.svg`, data: { path: location.pathname } };
  shown?.close();
  try {
    shown = new Notification(title, told);
    shown.onclick = () => window.focus();
  } catch {
    await byWorker(title, told).catch(console.warn); // phones support only notifications from a worker
  }
}

/** The scope contains no pages: a worker controls pages only in the installed app and for pushed notifications. */
async function byWorker(title, told) {
  const registration = await navigator.serviceWorker.register(`${ROOT}/worker.js`, { scope: `${ROOT}/static/js/` }), young = registration.installing ?? registration.waiting;
  if (!registration.active) await new Promise((active) => young.addEventListener("statechange", () => young.state === "activated" && active()));
  await registration.showNotification(title, told);
  shown = { close: async () => (await registration.getNotifications({ tag: told.tag })).forEach((one) => one.close()) };
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  shown?.close();
  if (missed && unasked() && offer()) offer().hidden = false;
  missed = false;
});

document.addEventListener("click", async (event) => {
  const answer = event.target.closest?.("[data-call]")?.dataset.call;
  if (!answer) return;
  offer().hidden = true;
  const granted = answer === "yes" && await Notification.requestPermission() === "granted";
  device.keep(ANSWER, granted ? "yes" : "no");
});
