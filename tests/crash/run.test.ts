// The short set.
import { runSuite } from "./run-suite.ts";

runSuite({ kills: 5, errors: 2, random: 2, timeoutMs: 240_000 });
