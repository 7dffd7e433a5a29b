/* Small enhancements for pages without a script of their own: local times, checkboxes of preferences,
   and the print button. */

import { closest } from "./page.js";
import { bindPreferences } from "./preferences.js";
import { showLocalTimes } from "./time.js";

bindPreferences();
showLocalTimes();
document.addEventListener("click", (event) => {
  if (closest(event, "#print")) window.print();
});
