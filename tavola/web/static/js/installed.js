// @ts-check
// The installed page and its worker: beside a page in a browser there is none.

const AGAIN = 5000;

/** A board that the worker had kept is looked at alone, until the site answers again. */
export function isOld() {
  return "seenAt" in document.documentElement.dataset;
}

/** Ask for the page anew when there is network again. */
export function awaitNetwork() {
  const ask = () => fetch("/health", { cache: "no-store" }).then(() => location.reload(), () => {});
  addEventListener("online", ask);
  setInterval(ask, AGAIN);
}

/** Let the worker begin, and keep what is open. */
export async function startWorker() {
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const parts = performance.getEntriesByType("resource").map((part) => part.name);
  active.postMessage({ page: location.pathname, parts: parts.filter((part) => part.startsWith(location.origin)) });
  // Boards change without their page being loaded: what one looked at last is kept.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) active.postMessage({ page: location.pathname, parts: [] });
  });
}

if (matchMedia("(display-mode: standalone)").matches && navigator.serviceWorker && !isOld()) startWorker();
