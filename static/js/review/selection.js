/* The players that a moderator selects to dismiss or merge: one box ticks all of them. */

const all = /** @type {HTMLInputElement} */ (document.getElementById("select-all"));
const boxes = /** @type {HTMLInputElement[]} */ ([
  ...document.querySelectorAll("input[name=player][form=bulk]"),
]);

all.hidden = false;
all.addEventListener("change", () => {
  for (const box of boxes) box.checked = all.checked;
});
for (const box of boxes) {
  box.addEventListener("change", () => {
    all.checked = boxes.every((each) => each.checked);
  });
}
