import { faultSuite } from "./fault-suite.ts";

faultSuite({});
