// @ts-check
// The settings of a new room: the line beside *House rules* lists the changed ones, even when folded.

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
