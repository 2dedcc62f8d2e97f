import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { plainGit, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { missingLargeFiles } from "./large-files.ts";
import { openScratch } from "./scratch.ts";

const content = "the real content\n";
const sha256 = createHash("sha256").update(content).digest("hex");
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`;

function project() {
  const dir = tempFolder("large-");
  writeFiles(dir, {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "data/model.bin": pointer,
    "docs/pointer.txt": pointer,
    "a.js": "1;\n",
  });
  plainGit(dir, "init", "-q");
  plainGit(dir, "add", "-A");
  plainGit(dir, "-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "x");
  const stored = join(dir, ".git/lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  mkdirSync(dirname(stored), { recursive: true });
  writeFileSync(stored, content);
  return { dir, stored, tree: plainGit(dir, "rev-parse", "HEAD^{tree}").trim() };
}

it.each(["committed", "alone", "none"] as const)(
  "a check (%s) reads the content that Git LFS keeps outside of the commit",
  async (history) => {
    const { dir, tree } = project();
    const repository = requireRepository(dir);
    const scratch = await openScratch(repository, join(tempFolder("scratch-"), "one"), tree, history);
    expect(readFileSync(join(scratch.dir, "data/model.bin"), "utf8")).toBe(content);
    // Only what the attributes name is such a file.
    expect(readFileSync(join(scratch.dir, "docs/pointer.txt"), "utf8")).toBe(pointer);
    const status = history === "none" ? "" : plainGit(scratch.dir, "status", "--porcelain");
    expect(status).toBe("");
    scratch.dispose();
    expect(await missingLargeFiles(repository, tree)).toEqual([]);
  },
);

it("content that is not there, or is another, is never put in, and the file is named with the remedy", async () => {
  const { dir, tree, stored } = project();
  const repository = requireRepository(dir);
  writeFileSync(stored, content.toUpperCase());
  const scratch = await openScratch(repository, join(tempFolder("scratch-"), "one"), tree);
  expect(readFileSync(join(scratch.dir, "data/model.bin"), "utf8")).toBe(pointer);
  scratch.dispose();
  rmSync(stored);
  expect(await missingLargeFiles(repository, tree)).toEqual([expect.stringMatching(/data\/model\.bin.*git lfs pull$/)]);
});
