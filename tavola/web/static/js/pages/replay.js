// @ts-check
// The replay: steps, the slider and the arrow keys show another moment without loading the page.

import { show } from "../site/page.js";
import { settleRows } from "../choices/rows.js";
import { settleBoxes, settleZoom } from "../board/zoom.js";
import { settleWords } from "../board/print.js";

const replay = () => document.getElementById("replay");
let wanted = null, busy = false;

async function go(address) {
  wanted = address;
  if (busy) return;
  busy = true;
  while (wanted) {
    const next = wanted;
    wanted = null;
    await show(next, { keepAddress: false }).catch(() => location.assign(next));
  }
  busy = false;
}

function settle() {
  const slider = /** @type {HTMLInputElement} */ (replay()?.querySelector("#at"));
  if (!slider) return;
  replay().querySelector("[data-scriptless]").hidden = true;
  const at = new URL(location.href).searchParams.get("at");
  if (at !== null && document.activeElement !== slider) slider.value = at;
  settleBoxes(replay());
  settleWords(replay());
  settleZoom(replay());
  settleRows(replay());
  reveal(replay().querySelector(".log .now"));
}

/** Scroll only the list of events, until the line is visible. */
function reveal(line) {
  const list = replay().querySelector(".lobby"), box = line?.getBoundingClientRect(), seen = list.getBoundingClientRect();
  if (box && (box.top < seen.top || box.bottom > seen.bottom)) list.scrollTop += (box.top + box.bottom - seen.top - seen.bottom) / 2;
}

function chosen(form) {
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (!query.get("as")) query.delete("as");
  return `${location.pathname}?${query}`;
}

export function enter() {
  settle();
  document.addEventListener("shown", settle);
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement} */ (event.target.closest?.("[data-step], [data-moment]"));
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.href);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("[data-scrub]");
    if (form) go(chosen(form));
  });
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!("scrub" in form.dataset)) return;
    event.preventDefault();
    go(chosen(form));
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select, textarea, dialog") || event.altKey || event.ctrlKey || event.metaKey) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    const link = rel && /** @type {HTMLAnchorElement} */ (replay().querySelector(`[data-step="${rel}"]`));
    if (!link) return;
    event.preventDefault();
    go(link.href);
  });
}
