// A folder of the browser that cannot be used is a failure with a remedy, not a fault.
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { servingToken } from "../remote/token.ts";
import { loadSite } from "../sites/load.ts";
import { postedKeeper, privateFolder } from "./location.ts";

it.each([
  ["a file", (home: string) => writeFileSync(home, "")],
  ["a link to nothing", (home: string) => symlinkSync(join(home, "..", "gone", "x"), home)],
])("a home that is %s has no keeper and no data of its own, and nothing is made in it", (_what, make) => {
  const home = join(tempFolder(), "home");
  make(home);
  const folder = join(home, "browser");
  expect(postedKeeper(folder)).toBeUndefined();
  expect(loadSite("chatgpt", { folder }).name).toBe("ChatGPT");
  expect(() => privateFolder(folder)).toThrow(/cannot be used/);
  expect(() => servingToken(folder)).toThrow(/cannot be used/);
});
