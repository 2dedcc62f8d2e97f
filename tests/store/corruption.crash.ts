// The long set: one of six bytes, others each time.
import { seeded } from "../support/seed.ts";
import { corruptionSuite } from "./corruption-suite.ts";

corruptionSuite({ stride: 6, walStride: 42, draw: seeded("altered bytes") });
