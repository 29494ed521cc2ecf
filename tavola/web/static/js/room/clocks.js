// @ts-check
// The room's clocks: time limits and time banks that run down, and the days of a correspondence match.

import { printTime } from "../board/print.js";
import { onPhone } from "../site/page.js";
import { tellAgo } from "../site/times.js";

const HOUR = 3600, DAY = 24 * HOUR; // seconds
const BANK_SHORT = 20;
const room = () => document.getElementById("room");
let late = 0; // milliseconds

/** Read how far this device's clock is behind the server's, from the time of the page. */
export function readClock() {
  late = Number(room()?.dataset.now ?? Date.now()) - Date.now();
}

/** The time left in a correspondence match: its two largest units, `2 days 3 hr`. */
function inHours(seconds) {
  const days = Math.floor(seconds / DAY), hours = Math.floor(seconds % DAY / HOUR);
  return [inUnits(days, "day"), inUnits(hours, "hour")].filter(Boolean).join(" ");
}

function inUnits(count, unit) {
  return count ? new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" }).format(count) : "";
}

function inMinutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function secondsTo(moment) {
  return Math.max(0, Math.round((Number(moment) - Date.now() - late) / 1000));
}

/** Whether a decision's own seconds are over and its time bank is running. */
function runs(clock, from) {
  return "bank" in clock.dataset && secondsTo(from) === 0;
}

/** Show the time left. */
export function tick() {
  for (const day of room()?.querySelectorAll("[data-began]") ?? []) {
    const count = Math.floor((Date.now() + late - Number(day.dataset.began)) / 1000 / DAY) + 1;
    day.textContent = day.dataset.day.replace("{count}", String(count));
  }
  for (const clock of room()?.querySelectorAll("[data-until]") ?? []) {
    const banked = runs(clock, clock.dataset.until), left = secondsTo(banked ? clock.dataset.bank : clock.dataset.until);
    clock.textContent = left >= HOUR ? inHours(left) : inMinutes(left);
    clock.classList.toggle("bank", banked);
    clock.classList.toggle("short", left <= (banked ? BANK_SHORT : 10));
  }
  for (const owe of room()?.querySelectorAll(".owe[data-bank]") ?? []) {
    const left = secondsTo(owe.dataset.bank);
    if (!runs(owe, owe.dataset.from)) continue;
    owe.textContent = inMinutes(left);
    owe.classList.add("bank");
    owe.classList.toggle("short", left < BANK_SHORT && owe.closest("[data-seat]").dataset.seat === room().dataset.me);
  }
  // On a phone, show the time of a correspondence match only once: beside the question if the player has to decide.
  const twice = onPhone.matches && room()?.querySelector(".prompt .clock");
  for (const left of room()?.querySelectorAll(".by-post [data-until]") ?? []) /** @type {HTMLElement} */ (left).hidden = Boolean(twice);
  tellAgo(late);
  printTime("clock", room()?.querySelector(".prompt [data-until]")?.textContent);
  printTime("times", room()?.dataset.times);
}
