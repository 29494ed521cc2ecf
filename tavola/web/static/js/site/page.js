// @ts-check
// Shows other pages without loading them: fetches them and replaces the main part.

import { fill } from "./morph.js";

const PATIENCE = 15000;

/** Fetch a page of the site as a document; throws if the answer is late or not one of its pages. */
export async function fetched(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) });
  if (response.headers.has("X-Traceback")) location.reload(); // show an author the exception until it is fixed
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!response.ok || !page.querySelector("main")) throw new Error(`no page at ${address}`);
  return page;
}

/** Show another page in place of this one. */
export async function show(address, { keepAddress = true } = {}) {
  const page = await fetched(address);
  // Another language was chosen in another tab, but the socket still uses the old one.
  if (page.documentElement.lang !== document.documentElement.lang) {
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
