// The short set.
import { loadSuite } from "./load-suite.ts";

loadSuite({ kills: 20, appends: 40 });
