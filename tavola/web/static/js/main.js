// @ts-check
// What every page has, and the imports of scripts for particular pages.

import "./board/find.js";
import "./pages/forms.js";
import "./site/sheet.js";
import { showHistory } from "./pages/history.js";
import { awaitNetwork, isOld } from "./app/installed.js";
import { enterMinute } from "./pages/minute.js";
import { nameForms } from "./site/post.js";
import { enter as enterReplay } from "./pages/replay.js";
import { enter as enterRoom } from "./room/room.js";
import { tellAgo, tellTimes } from "./site/times.js";

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

enhance();
tellTimes();
tellAgo();
showHistory();
document.addEventListener("shown", enhance);
addEventListener("pageshow", (event) => { if (event.persisted) nameForms(true); }); // a form on a page that is shown again means a new command
if (isOld()) {
  awaitNetwork();
} else {
  if (document.getElementById("room")) enterRoom();
  if (document.getElementById("replay")) enterReplay();
  if (document.getElementById("minute")) enterMinute();
}
