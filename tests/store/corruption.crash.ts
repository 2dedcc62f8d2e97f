// The long set: every byte.
import { corruptionSuite } from "./corruption-suite.ts";

corruptionSuite({ stride: 1, walStride: 7 });
