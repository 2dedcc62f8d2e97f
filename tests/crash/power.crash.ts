// The long set.
import { powerSuite } from "./power-suite.ts";

powerSuite({ stride: 1, atLeast: 5_000 });
