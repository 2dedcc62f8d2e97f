import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { changedBetween, printCheckout } from "./fingerprint.ts";

function checkout() {
  const dir = tempFolder("print-");
  const git = gitIn(dir);
  git("init", "-q", "-b", "main");
  writeFileSync(join(dir, "kept.txt"), "kept\n");
  git("add", "-A");
  git("commit", "-qm", "base");
  writeFileSync(join(dir, "draft.txt"), "draft\n");
  return { dir, git, repository: requireRepository(dir) };
}

/** The paths that differ between two prints. */
async function changed(change: (place: ReturnType<typeof checkout>) => void): Promise<string[]> {
  const place = checkout();
  const before = await printCheckout(place.repository);
  change(place);
  return changedBetween(before, await printCheckout(place.repository, before));
}

describe("the print of a checkout [R-30]", () => {
  it.each<[string, string[], Parameters<typeof changed>[0]]>([
    ["nothing", [], () => undefined],
    ["a committed file", ["kept.txt"], ({ dir }) => writeFileSync(join(dir, "kept.txt"), "other\n")],
    ["a draft of the user's", ["draft.txt"], ({ dir }) => writeFileSync(join(dir, "draft.txt"), "DRAFT\n")],
    ["a new file", ["new.txt"], ({ dir }) => writeFileSync(join(dir, "new.txt"), "")],
    ["a file with a name like no other", ["__proto__"], ({ dir }) => writeFileSync(join(dir, "__proto__"), "x")],
    ["a removed draft", ["draft.txt"], ({ dir }) => rmSync(join(dir, "draft.txt"))],
    ["the index alone", ["draft.txt"], ({ git }) => git("add", "draft.txt")],
    ["a commit", [".git/HEAD"], ({ git }) => git("commit", "-q", "--allow-empty", "-m", "x")],
    ["a branch", [".git/HEAD"], ({ git }) => git("checkout", "-q", "-b", "other")],
    ["a hook", [".git/hooks/pre-push"], ({ dir }) => writeFileSync(join(dir, ".git/hooks/pre-push"), "x")],
  ])("tells %s", async (_what, paths, change) => {
    expect(await changed(change)).toEqual(paths);
  });

  it("a file written with the same content is not a change", async () => {
    expect(
      await changed(({ dir }) => writeFileSync(join(dir, "draft.txt"), readFileSync(join(dir, "draft.txt")))),
    ).toEqual([]);
  });

  it("a change of a file too large to read is seen by what the system notes, however its times are set", async () => {
    const place = checkout();
    const large = join(place.dir, "large.bin");
    writeFileSync(large, Buffer.alloc(2 * 1024 ** 2, 1));
    utimesSync(large, 1_000, 1_000);
    const before = await printCheckout(place.repository);
    expect(changedBetween(before, await printCheckout(place.repository, before))).toEqual([]);
    writeFileSync(large, Buffer.alloc(2 * 1024 ** 2, 2));
    utimesSync(large, 1_000, 1_000);
    expect(changedBetween(before, await printCheckout(place.repository, before))).toEqual(["large.bin"]);
  });
});
