import { expect, it } from "vitest";
import { plainGit, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { emptySubmodules } from "./submodules.ts";

it("names the submodules of a tree, which are empty where agents and checks work", async () => {
  const dir = tempFolder("submodules-");
  writeFiles(dir, { "a.js": "1;\n" });
  plainGit(dir, "init", "-q");
  plainGit(dir, "add", "-A");
  const as = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"];
  plainGit(dir, ...as, "commit", "-qm", "x");
  const repository = requireRepository(dir);
  expect(await emptySubmodules(repository, plainGit(dir, "rev-parse", "HEAD^{tree}").trim())).toEqual([]);
  const commit = plainGit(dir, "rev-parse", "HEAD").trim();
  for (const name of ["a", "b", "c", "d"])
    plainGit(dir, "update-index", "--add", "--cacheinfo", `160000,${commit},lib/${name}`);
  const tree = plainGit(dir, "write-tree").trim();
  expect(await emptySubmodules(repository, tree)).toEqual([
    expect.stringMatching(/^Submodules are empty folders .*: lib\/a, lib\/b, lib\/c and 1 more\./),
  ]);
});
