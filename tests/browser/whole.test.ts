import { describe } from "vitest";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";
import { wholeTests } from "./whole-suite.ts";

describe.skipIf(chromium === undefined)("oracle in a real browser", () => {
  wholeTests(stageFor());
});
