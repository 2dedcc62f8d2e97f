// The sessions of one machine.
import { sessionsSuite } from "./sessions-suite.ts";

sessionsSuite("on one machine", async () => ({}));
