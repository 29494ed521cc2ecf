// @ts-check
// The log, the talk and other panels behind tabs. On a phone they are a sheet, and a badge counts unread lines. A gesture
// is shown at its maker's face for a moment, above the page so that nothing moves or clips it.

import { onPhone } from "../site/page.js";

const LASTS = 1800; // milliseconds
const room = () => document.getElementById("room");
const panel = (name) => room()?.querySelector(`[data-panel="${name}"]`);
let unread = 0, present = null;

export function show(name, { open = false } = {}) {
  if (!panel(name)) return;
  present = room().dataset.shown = name;
  for (const tab of room().querySelectorAll("[data-tab]")) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  for (const each of room().querySelectorAll("[data-panel]")) each.classList.toggle("shown", each.dataset.panel === name);
  if (open) room().querySelector(".chron").classList.add("open");
  if (name === "talk" && seen()) count(0);
  const chat = panel(name).querySelector(".chat");
  if (chat) chat.scrollTop = chat.scrollHeight;
}

/** Show the table in words, and go there: the board leads to it. */
function read() {
  show("words", { open: true });
  /** @type {HTMLDetailsElement} */ (document.getElementById("words-card")).open = true;
  document.getElementById("in-words").focus();
}

/** Whether the talk is visible. */
const seen = () => present === "talk" && (!onPhone.matches || room().querySelector(".chron").classList.contains("open"));

function count(number) {
  unread = number;
  for (const badge of room().querySelectorAll(".badge-count")) {
    badge.textContent = unread > 99 ? "99+" : String(unread);
    badge.hidden = !unread;
  }
}

/** Show new lines of talk; a player's own lines are not unread. */
export function talked(lines = []) {
  const { me } = room().dataset;
  if (lines.length && seen()) show("talk");
  else if (lines.length) count(unread + lines.filter(({ dataset }) => dataset.speaker !== me).length);
  for (const { dataset } of lines) if (dataset.gesture && dataset.speaker) pop(dataset.speaker, dataset.gesture);
}

/** Show a gesture at a seat. */
function pop(seat, gesture) {
  const face = document.querySelector(`.seats [data-seat="${CSS.escape(seat)}"] .who-face`)?.getBoundingClientRect();
  const drawn = /** @type {HTMLTemplateElement} */ (document.getElementById("popped")).content.cloneNode(true);
  const sign = /** @type {DocumentFragment} */ (drawn).firstElementChild;
  if (!face?.width || !(sign instanceof SVGElement)) return;
  sign.querySelector("use")?.setAttribute("href", `#gesture-${gesture}`);
  sign.classList.add("over-page");
  Object.assign(sign.style, { left: `${face.left}px`, top: `${face.top}px` });
  document.body.append(sign);
  setTimeout(() => sign.remove(), LASTS);
}

/** Update after the page was shown. */
export function settlePanels() {
  if (!room()?.querySelector("[data-tab]")) return;
  show(present && panel(present) ? present : room().querySelector("[data-tab]").dataset.tab);
  count(unread);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tab], [data-open], [data-shut]");
  const chron = room()?.querySelector(".chron");
  if (!chron) return;
  if (button?.dataset.open === "words") read();
  else if (button?.dataset.tab) show(button.dataset.tab);
  else if (button?.dataset.open) show(button.dataset.open, { open: !chron.classList.contains("open") || present !== button.dataset.open });
  else if (button || !event.target.closest?.(".chron, dialog")) chron.classList.remove("open");
});

document.addEventListener("keydown", (event) => {
  const tabs = [...(room()?.querySelectorAll('[role="tab"]') ?? [])], at = tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (event.key === "Escape") room()?.querySelector(".chron")?.classList.remove("open");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (at < 0 || !step) return;
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.focus();
  show(next.dataset.tab);
  event.preventDefault();
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (form.matches(":popover-open")) form.hidePopover();
});
