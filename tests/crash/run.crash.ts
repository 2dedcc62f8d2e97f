// The long set: a sample of the writes of a whole run. All of them would take most of a day.
import { seeded } from "../support/seed.ts";
import { runSuite } from "./run-suite.ts";

runSuite({ kills: 120, errors: 30, draw: seeded("writes of a run"), random: 20, timeoutMs: 7_200_000 });
