// The short set.
import { faultSuite } from "./fault-suite.ts";

faultSuite({ stride: 40, errorStride: 90 });
