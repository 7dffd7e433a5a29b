/* The sheet of a class: printing it. */

document.getElementById("print")?.addEventListener("click", () => window.print());
