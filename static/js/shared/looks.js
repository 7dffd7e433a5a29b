/* The looks that this person chose: light, dark or as the system has it, and the stuff of the
   boards. It runs before the page is drawn, so that nothing flashes; no module, for that reason. */

{
  const STUFFS = ["wood", "paper", "slate"];
  const MEDIA = { light: "not all", dark: "all", system: "(prefers-color-scheme: dark)" };
  const root = document.documentElement;

  const kept = (what) => {
    try {
      return localStorage.getItem(`looks-${what}`);
    } catch {
      return null; // a browser that keeps nothing
    }
  };

  const apply = () => {
    const dark = document.getElementById("dark-colours");
    if (dark) dark.media = MEDIA[kept("scheme")] ?? MEDIA.system;
    root.dataset.board = STUFFS.includes(kept("board")) ? kept("board") : STUFFS[0];
  };

  apply();
  window.addEventListener("storage", apply); // chosen in another tab
  document.addEventListener("DOMContentLoaded", () => {
    for (const choice of document.querySelectorAll("select[data-looks]")) {
      const what = choice.dataset.looks;
      if (kept(what)) choice.value = kept(what);
      choice.addEventListener("change", () => {
        localStorage.setItem(`looks-${what}`, choice.value);
        apply();
      });
    }
  });
}
