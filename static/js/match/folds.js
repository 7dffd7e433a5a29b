/* The folds beside the board: one is open at a time, and a click elsewhere or Escape closes it. */

const place = document.getElementById("extras");

function closeBut(kept) {
  for (const fold of place.querySelectorAll(":scope > details[open]")) {
    if (fold !== kept) fold.open = false;
  }
}

document.addEventListener("click", (event) => {
  closeBut(event.target.closest("#extras > details"));
});
place.addEventListener("keydown", (event) => {
  const fold = event.target.closest("#extras > details[open]");
  if (event.key !== "Escape" || !fold) return;
  fold.open = false;
  fold.querySelector("summary").focus();
});
