import { crowds } from "../canary/index.ts";
import { commandsOverCanaries } from "./canary-suite.ts";

commandsOverCanaries(crowds.slice(1, 4));
