import { crowds } from "../canary/index.ts";
import { commandsOverCanaries } from "./canary-suite.ts";

// The crowd that holds most of the sinks; canary.long.test.ts has three more, and the crash set drives them all.
commandsOverCanaries(crowds.slice(0, 1));
