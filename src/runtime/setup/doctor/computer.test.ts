import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import { store } from "./computer.ts";

const at = (stateDir: string) => store({ stateDir } as RepositoryLocation, undefined);

it("[B-32] a place where no run could be stored is in the way of a run, and is told without writing there", async () => {
  const folder = tempFolder("doctor-");
  const state = join(folder, "not/there/yet");
  expect(await at(state)).toEqual([expect.objectContaining({ name: "store", state: "ok" })]);
  expect(existsSync(join(folder, "not"))).toBe(false);
  writeFileSync(join(folder, "file"), "");
  expect(await at(join(folder, "file", "state"))).toEqual([
    {
      name: "store",
      state: "blocker",
      detail: expect.stringContaining("cannot be written"),
      remedy: "Use a writable disk",
    },
  ]);
});
