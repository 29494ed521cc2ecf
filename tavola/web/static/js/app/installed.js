// @ts-check
// The installed page and its worker; an ordinary browser page has none.

const AGAIN = 5000;

/** Whether the page is a board stored by the worker, which is read-only until the site answers again. */
export function isOld() {
  return "seenAt" in document.documentElement.dataset;
}

/** Reload the page when the network is back. */
export function awaitNetwork() {
  const ask = () => fetch("/health", { cache: "no-store" }).then(() => location.reload(), () => {});
  addEventListener("online", ask);
  setInterval(ask, AGAIN);
}

/** Start the worker, and store the open page. */
export async function startWorker() {
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const parts = performance.getEntriesByType("resource").map((part) => part.name);
  active.postMessage({ page: location.pathname, parts: parts.filter((part) => part.startsWith(location.origin)) });
  // Boards change without a page load: store the last state that was seen.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) active.postMessage({ page: location.pathname, parts: [] });
  });
}

if (matchMedia("(display-mode: standalone)").matches && navigator.serviceWorker && !isOld()) startWorker();
