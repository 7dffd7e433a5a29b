/* The script of pages without one of their own: notifications, local times, checkboxes of preferences,
   and the print button. */

import "./dialog.js";
import "./notifications.js";
import "./offline.js";
import { closest } from "./page.js";
import { bindPreferences } from "./preferences.js";
import { showLocalTimes } from "./time.js";

bindPreferences();
showLocalTimes();
document.addEventListener("click", (event) => {
  if (closest(event, "#print")) window.print();
});
