// @ts-check
// Times in the browser's time zone and calendar.

const MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR; // seconds

function language() {
  const { lang } = document.documentElement;
  return lang === "en" ? "en-GB" : lang;
}

/** Show when a time ends: today, tomorrow, on a weekday or on a date. */
export function tellTimes() {
  const midnight = new Date().setHours(24, 0, 0, 0);
  for (const told of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-told]"))) {
    const end = new Date(told.dateTime), days = Math.ceil((end.getTime() - midnight) / 86_400_000);
    const near = new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(days, "day");
    const far = end.toLocaleDateString(language(), days < 7 ? { weekday: "long" } : { day: "numeric", month: "long" });
    const time = end.toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });
    told.textContent = told.dataset.told.replace("{day}", days < 2 ? near : far).replace("{time}", time);
  }
}

/** Show how long ago something was, with the exact time; `late`: milliseconds that this clock is behind the site's. */
export function tellAgo(late = 0) {
  for (const told of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-ago]"))) {
    const at = new Date(told.dateTime), words = told.dataset.ago.replace("{ago}", ago((Date.now() + late - at.getTime()) / 1000));
    if (told.textContent !== words) told.textContent = words;
    if (!told.title) told.title = at.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
  }
}

function ago(seconds) {
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto", style: "short" });
  if (seconds < MINUTE) return words.format(0, "second");
  const [length, unit] = /** @type {[number, Intl.RelativeTimeFormatUnit]} */ (seconds < HOUR ? [MINUTE, "minute"] : seconds < DAY ? [HOUR, "hour"] : [DAY, "day"]);
  return words.format(-Math.floor(seconds / length), unit);
}
