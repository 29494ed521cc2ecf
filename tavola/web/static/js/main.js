// @ts-check
// What every page has, and the way into those that do more.

import "./find.js";
import "./house.js";
import "./sheet.js";
import { showHistory } from "./history.js";
import { awaitNetwork, isOld } from "./installed.js";
import { enterMinute } from "./minute.js";
import { enter as enterReplay } from "./replay.js";
import { enter as enterRoom } from "./room.js";

/** @returns {NodeListOf<HTMLDetailsElement>} */
const menus = () => document.querySelectorAll("[data-menu][open]");

function enhance() {
  document.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = !navigator.clipboard; });
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (button) {
    await navigator.clipboard.writeText(/** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy)).value);
    button.textContent = button.dataset.copied;
  }
  for (const menu of menus()) if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") menus().forEach((menu) => { menu.open = false; });
});

/** When a time ends, by the clock of the browser: today, tomorrow, on a day of the week or of the year. */
function tellTimes() {
  const { lang } = document.documentElement, language = lang === "en" ? "en-GB" : lang;
  const midnight = new Date().setHours(24, 0, 0, 0);
  for (const told of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-told]"))) {
    const end = new Date(told.dateTime), days = Math.ceil((end.getTime() - midnight) / 86_400_000);
    const near = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(days, "day");
    const far = end.toLocaleDateString(language, days < 7 ? { weekday: "long" } : { day: "numeric", month: "long" });
    const time = end.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
    told.textContent = told.dataset.told.replace("{day}", days < 2 ? near : far).replace("{time}", time);
  }
}

enhance();
tellTimes();
showHistory();
document.addEventListener("shown", enhance);
if (isOld()) {
  awaitNetwork();
} else {
  if (document.getElementById("room")) enterRoom();
  if (document.getElementById("replay")) enterReplay();
  if (document.getElementById("minute")) enterMinute();
}

// Nobody's time ends in his night: by the clock of his browser.
for (const field of document.querySelectorAll("[data-zone]")) {
  if (field instanceof HTMLSelectElement && !field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
for (const field of document.querySelectorAll("input[name=zone]")) {
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
