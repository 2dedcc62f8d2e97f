// The long set.
import { runSuite } from "./run-suite.ts";

runSuite({ stride: 1, errorStride: 1, timeoutMs: 14_400_000 });
