// The long set.
import { faultSuite } from "./fault-suite.ts";

faultSuite({ stride: 1, errorStride: 1 });
