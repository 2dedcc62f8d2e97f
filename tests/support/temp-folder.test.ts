import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { removeFolder } from "./remove-folder.ts";
import { tempFolder } from "./temp-folder.ts";

const ofFile = tempFolder();
let ofHook = "";
const ofTests: string[] = [];
beforeEach(() => {
  ofHook = tempFolder("hook-");
});
afterAll(() => {
  expect(ofTests).toHaveLength(2);
  for (const folder of ofTests) expect(existsSync(folder)).toBe(false);
});

it.each([1, 2])("a folder lives as long as the test that made it (%s)", () => {
  for (const folder of ofTests) expect(existsSync(folder)).toBe(false);
  ofTests.push(ofHook);
  expect(existsSync(ofFile)).toBe(true);
  expect(existsSync(ofHook)).toBe(true);
});

it("a folder goes although a process still writes into it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "written-"));
  const write =
    'echo on; end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do : > "$0/$(date +%N)"; done 2>/dev/null';
  const writer = spawn("sh", ["-c", write, folder], { stdio: ["ignore", "pipe", "ignore"] });
  await once(writer.stdout, "data");
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  writer.kill("SIGKILL");
});
