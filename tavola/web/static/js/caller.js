// @ts-check
// A service worker for notifications, since phones show only those from workers. A click leads back to the table.

const worker = /** @type {any} */ (self);

async function back(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  return page ? page.focus() : worker.clients.openWindow(path);
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(back(event.notification.tag));
});
