import { describe } from "vitest";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";
import { wholeTests } from "./whole-suite.ts";

describe.skipIf(chromium === undefined)("oracle in a real browser, on pages of public evidence", () => {
  wholeTests(stageFor("public"));
});
