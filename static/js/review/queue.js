/* Handling a player: keys for what is done most, and preset reasons that fill the reason's field. */

const KEPT = "review-keys"; // in the browser: "off" where the moderator does not want the keys
const decision = document.getElementById("decision");
const keysOn = document.getElementById("keys-on");

keysOn.checked = localStorage.getItem(KEPT) !== "off";
keysOn.addEventListener("change", () => {
  localStorage.setItem(KEPT, keysOn.checked ? "on" : "off");
});

document.addEventListener("keydown", (event) => {
  if (!keysOn.checked || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  if (!/^[a-z]$/.test(event.key)) return;
  const wanted = document.querySelector(`[data-key="${event.key}"]`);
  if (!wanted) return;
  event.preventDefault();
  wanted.click();
});

/* A form is sent once, however fast one clicks: the server knows a repetition, too. */
for (const form of document.querySelectorAll("form[method=post]")) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
}

/* A page that the browser has kept is an old one. */
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

decision?.addEventListener("change", (event) => {
  const { name, value } = event.target;
  const reason = decision.elements.namedItem("reason");
  if (name === "preset") reason.value = value;
  if (name !== "kind") return;
  // What was filled in for another decision does not fit this one; what was written stays.
  const presets = [...decision.querySelectorAll("[name=preset]")];
  if (presets.some((preset) => preset.value === reason.value)) reason.value = "";
  for (const preset of presets) preset.checked = false;
});
