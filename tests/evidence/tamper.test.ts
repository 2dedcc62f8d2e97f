import { expect, it } from "vitest";
import { drawing } from "./drawing.ts";
import { makeScene } from "./scene.ts";
import { tamperings } from "./tamperings.ts";
import { tamperSuite } from "./tamper-suite.ts";

tamperSuite({ tamperings: 48, cleanLogs: 20, runsInAStore: 10 });

it("[B-13] work beside the loop that ends twice is found, also behind the last signed head", async () => {
  const scene = await makeScene(1_020, 3);
  const place = Object.keys(tamperings).indexOf("an event is put in");
  tamperings["an event is put in"]?.(scene, drawing(2_801 + place));
  expect((await scene.verify()).problems).toMatchObject([{ kind: "chain" }]);
  scene.remove();
});
