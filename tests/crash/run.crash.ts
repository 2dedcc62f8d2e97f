// The long set: every write.
import { runSuite } from "./run-suite.ts";

runSuite({ random: 100, timeoutMs: 14_400_000 });
