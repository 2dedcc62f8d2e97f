import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
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
  const write = 'i=0; echo on; while [ $i -lt 1500 ]; do i=$((i+1)); : > "$0/$i"; done 2>/dev/null';
  // Several deep folders: each of them is a moment in which a new file can come.
  for (let at = 0; at < 200; at += 1) mkdirSync(join(folder, "deep", String(at), "down"), { recursive: true });
  const writers = ["", "/deep", "/deep/100"].map((place) =>
    spawn("sh", ["-c", write, `${folder}${place}`], { stdio: ["ignore", "pipe", "ignore"] }),
  );
  await Promise.all(writers.map((writer) => once(writer.stdout, "data")));
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  for (const writer of writers) writer.kill("SIGKILL");
});
