/* The preferences' page of somebody who keeps them in the browser. */

import { bindPreferences } from "../shared/preferences.js";

bindPreferences(() => {});
