// A file of the test's own, outside of everything that the code under test may touch. Links lead to it instead of to a file
// of the system, so that a slip of the code hurts nobody and is noticed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

const words = "a canary: nothing may read or change this\n";

export interface CanaryFile {
  readonly path: string;
  isUntouched(): boolean;
}

export function canaryFile(): CanaryFile {
  const path = join(tempFolder("canary-file-"), "canary");
  writeFileSync(path, words);
  return { path, isUntouched: () => existsSync(path) && readFileSync(path, "utf8") === words };
}
