/* The form that makes a tournament: it shows what belongs to the kind that is chosen, and takes the
   time as the visitor's own clock shows it. */

const form = document.getElementById("making");
const times = [form.elements.starts_at, form.elements.opens_at];

function show() {
  const kind = form.elements.kind.value;
  for (const part of form.querySelectorAll("[data-kinds]")) {
    part.hidden = !part.dataset.kinds.split(" ").includes(kind);
  }
  for (const part of form.querySelectorAll("[data-when]")) {
    part.hidden = form.elements.when.value !== part.dataset.when;
  }
}

/* Minutes by which the visitor's clock is ahead of UTC at that time; it is asked for in UTC of pages
   without scripts. */
function ahead(value) {
  const time = value ? new Date(value) : new Date();
  return Number.isNaN(time.getTime()) ? 0 : -time.getTimezoneOffset();
}

/* "2026-11-22T19:30" moved by so many minutes. */
function moved(value, minutes) {
  const time = new Date(`${value}Z`);
  if (Number.isNaN(time.getTime())) return value;
  return new Date(time.getTime() + minutes * 60000).toISOString().slice(0, 16);
}

for (const at of times) {
  const label = form.querySelector(`label[for="${at.id}"]`);
  if (at.value) at.value = moved(at.value, ahead(at.value));
  label.textContent = label.textContent.replace(/\s*\(UTC\)/, "");
}
form.addEventListener("change", show);
form.addEventListener("submit", () => {
  for (const at of times) form.elements[`${at.name}_offset`].value = ahead(at.value);
});
show();
