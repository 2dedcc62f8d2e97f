// The long set: every write.
import { faultSuite } from "./fault-suite.ts";

faultSuite({});
