// The long set.
import { loadSuite } from "./load-suite.ts";

loadSuite({ kills: 300, appends: 500 });
