/* The looks that this person chose: light, dark or as the system has it, and the stuff of the
   boards. It runs before the page is drawn, so that nothing flashes; no module, for that reason.
   An account's looks come with the page (`data-kept` is "account"), others from the browser. */

{
  const STUFFS = ["wood", "paper", "slate"];
  const MEDIA = { light: "not all", dark: "all", system: "(prefers-color-scheme: dark)" };
  const root = document.documentElement;
  const given = { ...root.dataset };

  const chosen = {}; // for an account, since the page was made

  const kept = (what) => {
    if (chosen[what]) return chosen[what];
    if (root.dataset.kept === "account" && given[what]) return given[what];
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
        if (root.dataset.kept) {
          chosen[what] = choice.value; // an account's is kept by shared/preferences.js
          const detail = { what, value: choice.value };
          document.dispatchEvent(new CustomEvent("chosen", { detail }));
        } else localStorage.setItem(`looks-${what}`, choice.value);
        apply();
      });
    }
  });
}
