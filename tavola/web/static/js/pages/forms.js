// @ts-check
// Fields that only a script can complete: the line beside *House rules* lists the settings that were changed, even when
// folded, and a form for deadlines knows the browser's time zone.

const rules = document.getElementById("house-rules");
const told = /** @type {HTMLElement | undefined} */ (rules?.querySelector("summary .facts"));
const asRecommended = told?.textContent;

/** The name of a changed option, or nothing if it is as the page came. */
function changed(/** @type {HTMLSelectElement | HTMLInputElement} */ control) {
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].find((option) => option.defaultSelected) ?? control.options[0];
    return control.value === first.value ? null : control.labels[0]?.textContent;
  }
  return control.checked && !control.defaultChecked ? control.closest("fieldset")?.querySelector("legend")?.textContent : null;
}

rules?.addEventListener("change", () => {
  /** @type {NodeListOf<HTMLSelectElement | HTMLInputElement>} */
  const controls = rules.querySelectorAll("select, input[type=radio]");
  const names = [...controls].map(changed).filter(Boolean);
  told.textContent = names.length ? told.dataset.changed.replace("{names}", names.join(", ")) : asRecommended;
});

// Deadlines do not fall in the player's night: this needs the browser's time zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
for (const field of document.querySelectorAll("input[name=zone]")) {
  if (field instanceof HTMLInputElement) field.value = timeZone;
}
