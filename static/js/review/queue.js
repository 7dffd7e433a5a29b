/* A case in the review queue: keyboard shortcuts, and preset reasons that fill in the field. */

const STORAGE_KEY = "review-keys"; // "off" if the moderator does not want shortcuts
const TEXT_FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select";

const decision = /** @type {HTMLFormElement | null} */ (document.getElementById("decision"));
const hasShortcuts = /** @type {HTMLInputElement} */ (document.getElementById("keys-on"));

hasShortcuts.checked = localStorage.getItem(STORAGE_KEY) !== "off";
hasShortcuts.addEventListener("change", () => {
  localStorage.setItem(STORAGE_KEY, hasShortcuts.checked ? "on" : "off");
});

document.addEventListener("keydown", (event) => {
  const { key, repeat, ctrlKey, metaKey, altKey } = event;
  if (!hasShortcuts.checked || repeat || ctrlKey || metaKey || altKey) return;
  const isTyping = /** @type {Element} */ (event.target).closest(TEXT_FIELDS);
  if (isTyping || !/^[a-z]$/.test(key)) return;
  const target = document.querySelector(`[data-key="${key}"]`);
  if (!target) return;
  event.preventDefault();
  target.click();
});

// Send each form once, even after a double click. The server ignores repeated decisions too.
for (const form of document.querySelectorAll("form[method=post]")) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
}

// A page that the back button restores is out of date.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

decision?.addEventListener("change", (event) => {
  const { name, value } = /** @type {HTMLInputElement} */ (event.target);
  const reason = /** @type {HTMLTextAreaElement} */ (decision.elements.namedItem("reason"));
  if (name === "preset") reason.value = value;
  if (name !== "kind") return;
  // The preset reasons of another kind of decision do not fit; a reason that was typed stays.
  const presets = /** @type {HTMLInputElement[]} */ ([
    ...decision.querySelectorAll("[name=preset]"),
  ]);
  if (presets.some((preset) => preset.value === reason.value)) reason.value = "";
  for (const preset of presets) preset.checked = false;
});
