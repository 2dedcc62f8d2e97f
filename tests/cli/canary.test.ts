import { crowds } from "../canary/index.ts";
import { commandsOverCanaries } from "./canary-suite.ts";

// The crowds that hold most of the sinks; the long set drives them all.
commandsOverCanaries(crowds.slice(0, 4));
