import { expect, it } from "vitest";
import { UnderWay } from "./under-way.ts";

it("[R-15] work that is aborted is over before the run is let go", async () => {
  const under = new UnderWay();
  const happened: string[] = [];
  let finish = () => {};
  under.start("slow", undefined, async (stop) => {
    stop.addEventListener("abort", () => happened.push("aborted"));
    await new Promise<void>((resolve) => (finish = resolve));
    happened.push("over");
  });
  const ended = under.end().then(() => happened.push("let go"));
  await new Promise(setImmediate);
  expect(happened).toEqual(["aborted"]);
  finish();
  await ended;
  expect(happened).toEqual(["aborted", "over", "let go"]);
  expect(under.keys).toEqual([]);
});
