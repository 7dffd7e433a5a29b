/* The explanation of an unusual opening, until the player has read it in this browser. */

const note = document.getElementById("opening"); // null in most games
const key = `opening-${note?.dataset.game}`; // in localStorage

if (note && !localStorage.getItem(key)) {
  note.hidden = false;
  document.getElementById("opening-read").addEventListener("click", () => {
    localStorage.setItem(key, "read");
    note.hidden = true;
  });
}
