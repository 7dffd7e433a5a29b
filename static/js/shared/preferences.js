/* What this person prefers, kept in this browser. */

const TOUCH = window.matchMedia("(pointer: coarse)").matches;
const DEFAULTS = { sound: true, confirm: TOUCH, phrases: true };

export function prefers(what) {
  const kept = localStorage.getItem(`prefers-${what}`);
  return kept === null ? DEFAULTS[what] : kept === "yes";
}

/* Bind the checkboxes of the page to what they stand for. */
export function bindPreferences(onChange) {
  for (const box of document.querySelectorAll("[data-prefers]")) {
    box.checked = prefers(box.dataset.prefers);
    box.addEventListener("change", () => {
      localStorage.setItem(`prefers-${box.dataset.prefers}`, box.checked ? "yes" : "no");
      onChange(box.dataset.prefers);
    });
  }
}
