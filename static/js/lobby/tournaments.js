/* The list of tournaments: its times as the visitor's clock shows them. */

import { localTimes } from "../shared/local-times.js";

localTimes();
