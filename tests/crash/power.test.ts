// The short set.
import { powerSuite } from "./power-suite.ts";

powerSuite({ stride: 41, atLeast: 150 });
