// The short set.
import { runSuite } from "./run-suite.ts";

runSuite({ stride: 170, errorStride: 230, timeoutMs: 240_000 });
