// @ts-check
// Calling somebody whose turn it is while he looks at another page. Whether he wants that is asked when he comes back
// from such a turn, not before, and once.

import { device } from "./storage.js";

const ANSWER = "tavola.calling";
const offer = () => document.getElementById("calling");
let missed = false, shown = null;

const may = () => "Notification" in window && Notification.permission === "granted" && device.read(ANSWER) === "yes";
const unasked = () => "Notification" in window && Notification.permission !== "denied" && !device.read(ANSWER);

/** It is one's turn: `sentence` is what is asked, `title` what is played. */
export async function call(title, sentence) {
  if (!document.hidden) return;
  missed = true;
  if (!may()) return;
  const told = { body: sentence, tag: location.pathname, icon: "/static/icon.svg" };
  shown?.close();
  try {
    shown = new Notification(title, told);
    shown.onclick = () => window.focus();
  } catch {
    await byWorker(title, told).catch(console.warn); // phones know those of a worker only
  }
}

async function byWorker(title, told) {
  const registration = await navigator.serviceWorker.register("/static/js/caller.js"), young = registration.installing ?? registration.waiting;
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
