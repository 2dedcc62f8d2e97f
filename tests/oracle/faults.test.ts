import { faultSuite } from "./fault-suite.ts";

faultSuite({ sample: 3 });
