// The long set: every write.
import { runSuite } from "./run-suite.ts";

runSuite({ timeoutMs: 14_400_000 });
