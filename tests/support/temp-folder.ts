// Folders of a test's own.
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { removeFolder } from "./remove-folder.ts";

/** A new folder, by its real path. It is removed after the test that makes it; made outside of one, after the file. */
export function tempFolder(name = "test-", inside = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(inside, name)));
  afterwards(() => removeFolder(folder));
  return folder;
}

/** Done after the test that asks for it; asked for outside of one, after its suite or its file. */
export function afterwards(act: () => void): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(act);
  else onTestFinished(act);
}
