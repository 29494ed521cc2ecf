// The small menu beside the pointer: which of several actions was meant, or why there is none.

const menu = document.getElementById("choices");
let before = null;

/** Show `content` (elements) near a point of the window. */
export function ask(content, x, y) {
  before = document.activeElement;
  menu.replaceChildren(...content);
  menu.hidden = false;
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.max(8, Math.min(x, innerWidth - width - 8));
  const top = Math.max(8, Math.min(y, innerHeight - height - 8));
  menu.style.left = `${left + scrollX}px`;
  menu.style.top = `${top + scrollY}px`;
  menu.querySelector("button, a")?.focus({ preventScroll: true });
}

export function dismiss() {
  if (menu.hidden) return;
  const inside = menu.contains(document.activeElement);
  menu.hidden = true;
  if (inside && before?.isConnected) before.focus({ preventScroll: true });
}

document.addEventListener("pointerdown", (event) => menu.contains(event.target) || dismiss());
document.addEventListener("keydown", (event) => {
  if (menu.hidden) return;
  const items = [...menu.querySelectorAll("button, a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") dismiss();
  else if (step && items.length) {
    event.preventDefault();
    items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  }
});
