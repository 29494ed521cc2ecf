// @ts-check
// The right column on a desk: when the log is at its least height, the advice goes, and if that is not enough, the earlier
// steps of a plan. The style lets the hand give way in between.

const SLACK = 1; // pixels by which measured heights may differ
const room = () => document.getElementById("room");
let watched = null;

const observer = new ResizeObserver(() => {
  const at = room(), log = at?.querySelector(".chron");
  if (!at || !log) return;
  const least = parseFloat(getComputedStyle(at).getPropertyValue("--log")); // none on a phone
  if (!least || log.clientHeight > least + SLACK) return;
  at.classList.add("tight");
  if (at.scrollHeight > at.clientHeight + SLACK) at.classList.add("tighter");
});

/** Update after the page was shown. */
export function settleColumn() {
  const log = room()?.querySelector(".chron");
  if (log === watched) return;
  observer.disconnect();
  watched = log;
  for (const part of [log, room()?.querySelector(".hand"), room()?.querySelector(".ask")]) if (part) observer.observe(part);
}

document.addEventListener("asked-anew", () => room()?.classList.remove("tight", "tighter"));
