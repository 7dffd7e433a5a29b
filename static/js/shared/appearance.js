/* The appearance that the visitor chose: a light or dark colour scheme, and the material of the
   boards. This is not a module because it has to run before the page is drawn, or the page would
   flash. An account's choice comes with the page (`data-kept` is "account"), others from the browser;
   shared/preferences.js stores an account's. */

{
  const MATERIALS = ["wood", "paper", "slate"];
  /** @type {Record<string, string>} */
  const MEDIA = { light: "not all", dark: "all", system: "(prefers-color-scheme: dark)" };
  const root = document.documentElement;
  const given = { ...root.dataset };
  /** @type {Record<string, string>} */
  const changed = {}; // by an account, since the page was loaded

  const choiceOf = (/** @type {string} */ name) => {
    if (changed[name]) return changed[name];
    if (root.dataset.kept === "account" && given[name]) return given[name];
    try {
      return localStorage.getItem(`looks-${name}`);
    } catch {
      return null; // the browser blocks storage
    }
  };

  const apply = () => {
    const dark = /** @type {HTMLLinkElement} */ (document.getElementById("dark-colours"));
    if (dark) dark.media = MEDIA[choiceOf("scheme")] ?? MEDIA.system;
    const material = choiceOf("board");
    root.dataset.board = MATERIALS.includes(material) ? material : MATERIALS[0];
  };

  apply();
  window.addEventListener("storage", apply); // another tab changed it
  document.addEventListener("DOMContentLoaded", () => {
    /** @type {NodeListOf<HTMLSelectElement>} */
    const selects = document.querySelectorAll("select[data-looks]");
    for (const select of selects) {
      const name = select.dataset.looks;
      if (choiceOf(name)) select.value = choiceOf(name);
      select.addEventListener("change", () => {
        const { value } = select;
        if (root.dataset.kept) {
          changed[name] = value;
          document.dispatchEvent(new CustomEvent("chosen", { detail: { what: name, value } }));
        } else localStorage.setItem(`looks-${name}`, value);
        apply();
      });
    }
  });
}
