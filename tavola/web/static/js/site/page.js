// @ts-check
// Shows other pages without loading them: fetches them and replaces the main part.

import { fill } from "./morph.js";

const PATIENCE = 15000; // milliseconds
export const CLOSED = [403, 410]; // statuses of pages that the operator of the site has closed
const SLACK = 4; // pixels of a button that may be out of sight

/** Whether the window is as narrow as a phone, or as low as one that is turned; the styles ask the same. */
export const onPhone = matchMedia("(max-width: 700px), (max-height: 480px)");

/** Fetch a page of the site as a document; throws if the answer is late or not one of its pages. */
export async function fetched(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) });
  // Show an author the exception until it is fixed, and everyone why this page is closed to them.
  if (response.headers.has("X-Traceback") || (address === location.href && CLOSED.includes(response.status))) location.reload();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!response.ok || !page.querySelector("main")) throw new Error(`no page at ${address}`);
  return page;
}

/** The address of a page's scripts, which has their version. */
const scripts = (page) => page.querySelector("script[type=module]").getAttribute("src");

/** Show another page in place of this one. */
export async function show(address, { keepAddress = true } = {}) {
  const page = await fetched(address);
  // Another language was chosen in another tab, but the socket still uses the old one; or the server was updated.
  if (page.documentElement.lang !== document.documentElement.lang || scripts(page) !== scripts(document)) {
    history.replaceState(null, "", address);
    return location.reload();
  }
  const main = document.querySelector("main");
  fill(main, [...page.querySelector("main").childNodes]);
  document.title = page.title;
  if (!keepAddress) history.replaceState(null, "", address);
  document.dispatchEvent(new CustomEvent("shown"));
}

let hiding;

/** Show a sentence at the foot of the page, for a while or until it is removed. */
export function banner(text, { good = false, lasting = false } = {}) {
  const place = document.getElementById("banner");
  place.textContent = text;
  place.hidden = !text;
  place.classList.toggle("good", good);
  clearTimeout(hiding);
  if (text && !lasting) hiding = setTimeout(() => { place.hidden = true; }, good ? 1800 : 6000);
}

/** A label and what follows it, with the colon of the page's language. @param {string} lead @param {string} rest */
export function labelled(lead, rest) {
  const { colon } = document.getElementById("room").dataset;
  return colon.replace("{label}", () => lead).replace("{text}", () => rest);
}

/** Say on a row of buttons how many of them are not wholly above its edge (`data-more`), so that nobody misses them. */
export function tellMore(row) {
  const { bottom } = row.getBoundingClientRect();
  const below = [...row.children].filter((button) => button.getBoundingClientRect().bottom > bottom + SLACK && getComputedStyle(button).position !== "absolute");
  if (below.length) row.dataset.more = `+ ${below.length}`;
  else delete row.dataset.more;
}

addEventListener("scroll", ({ target }) => target instanceof HTMLElement && target.matches(".choices") && tellMore(target), { capture: true, passive: true });

/** What a line says to its reader, as text: it has the words for other players, too. @param {string | Element} line */
export function spoken(line) {
  const copy = document.createElement("template").content, { me } = document.getElementById("room").dataset;
  if (typeof line === "string") copy.append(document.createRange().createContextualFragment(line));
  else copy.append(line.cloneNode(true));
  for (const part of copy.querySelectorAll(".second, .third")) {
    if (part.classList.contains(`of-${me}`) !== part.matches(".second")) part.remove();
  }
  return copy.textContent;
}

/** Announce sentences to screen readers, politely. */
export function announce(...sentences) {
  const place = document.getElementById("announcer");
  for (const sentence of sentences.filter(Boolean)) {
    const line = document.createElement("p");
    line.textContent = sentence;
    place.append(line);
    setTimeout(() => line.remove(), 8000);
  }
}
