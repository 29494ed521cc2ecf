// @ts-check
// The installed page and its worker; an ordinary browser page has none.

import { ROOT } from "../site/post.js";

const AGAIN = 5000;

/** Whether the page is a board stored by the worker, which is read-only until the site answers again. */
export function isOld() {
  return "seenAt" in document.documentElement.dataset;
}

/** Reload the page when the network is back. */
export function awaitNetwork() {
  const ask = () => fetch(`${ROOT}/health`, { cache: "no-store" }).then(() => location.reload(), () => {});
  addEventListener("online", ask);
  setInterval(ask, AGAIN);
}

/** Show on the app's icon how many matches wait for the player; return the addresses of the rules of all their matches. */
async function badge() {
  const answer = await fetch(`${ROOT}/mine/waiting`).catch(() => null);
  if (!answer?.ok) return [];
  const { count, rules } = await answer.json();
  navigator.setAppBadge?.(count).catch(() => {}); // a browser may forbid it
  return rules.map((path) => ROOT + path);
}

/** Start the worker, and store the open page. */
export async function startWorker() {
  await navigator.serviceWorker.register(`${ROOT}/worker.js`);
  const { active } = await navigator.serviceWorker.ready;
  const parts = performance.getEntriesByType("resource").map((part) => part.name);
  const linked = [...document.querySelectorAll("a[href]")].map((link) => /** @type {HTMLAnchorElement} */ (link).pathname).filter((path) => path.endsWith("/rules"));
  active.postMessage({ page: location.pathname, parts: parts.filter((part) => part.startsWith(location.origin)), rules: [...new Set([...linked, ...await badge()])] });
  // Boards change without a page load: store the last state that was seen.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) active.postMessage({ page: location.pathname, parts: [] });
    badge();
  });
}

if (matchMedia("(display-mode: standalone)").matches && navigator.serviceWorker && !isOld()) startWorker();
