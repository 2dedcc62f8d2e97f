import { describe } from "vitest";
import { deathTests } from "./death-suite.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined)("death at each step", () => {
  deathTests(stageFor());
});
