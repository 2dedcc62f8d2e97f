// A sample of the writes of an integration; every one of them in apply.crash.ts.
import { applySuite } from "./apply-suite.ts";

applySuite({ sample: 6, least: 5, random: 6 });
