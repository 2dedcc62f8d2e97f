// The short set.
import { faultSuite } from "./fault-suite.ts";

faultSuite({ kills: 24, errors: 10 });
