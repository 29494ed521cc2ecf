// @ts-check
// Turns the page's content into what the server sends and touches nothing else: elements keep their identity by key, so
// focus, typed text and animations survive. Pieces slide from their old position to the new one.

import { ROOT } from "./post.js";

const SLIDE = { duration: 700, easing: "cubic-bezier(.3,.1,.2,1)" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

const keyOf = (node) => node.id || (node.nodeName === "BUTTON" && node.name ? `${node.name}=${node.value}` : "");

/** Attributes with addresses of the site, which sends fragments as if it were at the root of its host. */
const LINKED = /([ "](?:href|src|action|formaction|data-(?:again|minute|seen|socket|sounds|words))=["'])\/(?![/\\])/g;

/** Parse markup as children of `parent`. */
export function parsed(parent, markup) {
  const holder = parent.cloneNode(false);
  holder.innerHTML = ROOT ? markup.replace(LINKED, `$1${ROOT}/`) : markup;
  return [...holder.childNodes];
}

/** Replace the children of `parent` by those of `wanted`. Returns the new elements. */
export function fill(parent, wanted) {
  const slides = [], fresh = [], focused = /** @type {HTMLElement} */ (document.activeElement);
  children(parent, wanted, slides, fresh);
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true }); // moving the element lost it
  if (!still.matches) slides.forEach(([piece, from, to]) => piece.animate?.([{ transform: from }, { transform: to }], SLIDE));
  return fresh;
}

function children(parent, wanted, slides, fresh) {
  const keyed = new Map([...parent.children].filter(keyOf).map((child) => [keyOf(child), child]));
  const staying = new Set(wanted.map(keyOf));
  const leaving = [...keyed.values()].filter((child) => !staying.has(keyOf(child)));
  const renamed = new Set();
  const unkeyed = [...parent.childNodes].filter((child) => !keyOf(child));
  const found = wanted.map((want) => {
    if (!keyOf(want)) return unkeyed[0]?.nodeName === want.nodeName ? unkeyed.shift() : null;
    if (keyed.has(keyOf(want))) return keyed.get(keyOf(want));
    const like = want.dataset?.like;
    const twin = like ? leaving.findIndex((child) => child.dataset.like === like) : -1;
    if (twin < 0) return null;
    renamed.add(leaving[twin]);
    return leaving.splice(twin, 1)[0];
  });
  const kept = new Set(found);
  for (const child of [...parent.childNodes]) if (!kept.has(child)) child.remove();
  let cursor = parent.firstChild;
  wanted.forEach((want, place) => {
    const node = found[place] ? morph(found[place], want, slides, fresh) : want;
    if (!found[place] && node.nodeType === Node.ELEMENT_NODE) fresh.push(node);
    // A renamed piece may be far from its new place: do not move the others because of it.
    while (cursor && cursor !== node && renamed.has(cursor)) cursor = cursor.nextSibling;
    if (node === cursor) cursor = cursor.nextSibling;
    else parent.insertBefore(node, cursor);
  });
}

function morph(have, want, slides, fresh) {
  if (have.nodeName !== want.nodeName) {
    have.replaceWith(want);
    return want;
  }
  if (have.nodeType !== Node.ELEMENT_NODE) {
    if (have.data !== want.data) have.data = want.data;
    return have;
  }
  if (("keep" in have.dataset && have.id === want.id) || have.isEqualNode(want)) return have;
  const from = have.dataset.to;
  attributes(have, want);
  if (from && from !== have.dataset.to && !have.dataset.row) slides.push([have, from, have.dataset.to]);
  children(have, [...want.childNodes], slides, fresh);
  return have;
}

function attributes(have, want) {
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name) && !(name === "open" && have.nodeName === "DETAILS")) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value && !(name === "open" && have.nodeName === "DETAILS")) have.setAttribute(name, value);
  }
}

/** Apply a message with fragments to the room. Returns the new elements of each list, by name. */
export function apply(room, { fragments, order }) {
  for (const place of room.querySelectorAll("[data-place]")) {
    const markup = fragments[place.dataset.place];
    if (markup !== undefined) fill(place, parsed(place, markup));
  }
  const came = {};
  for (const list of room.querySelectorAll("[data-list]")) came[list.dataset.list] = arrange(list, fragments, order);
  return came;
}

function arrange(list, fragments, order) {
  const name = list.dataset.list;
  const ids = order[name] ?? [...list.children].map((child) => child.id);
  const touched = order[name] || ids.some((id) => `${name}:${id}` in fragments);
  if (!touched) return [];
  const known = new Map([...list.children].map((child) => [child.id, child]));
  const wanted = ids.map((id) => {
    const markup = fragments[`${name}:${id}`];
    return markup === undefined ? known.get(id)?.cloneNode(true) : parsed(list, markup).find((node) => node.id === id);
  });
  return fill(list, wanted.filter(Boolean));
}
