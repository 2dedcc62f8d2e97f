// A worktree in a repository that was renamed, copied or restored while a worker was out.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireRepository } from "../../../platform/git/index.ts";
import { plainGit } from "../../../../tests/support/repository.ts";
import {
  base,
  made,
  paths,
  put,
  repositoryForEachTest,
  runId,
  start,
} from "../../../../tests/support/worktree-scene.ts";
import { createWorktree } from "./create.ts";
import { retireWorktree } from "./remove.ts";

repositoryForEachTest();

const at = (top: string) => createWorktree(requireRepository(top), { runId, baseCommit: base });
const other = (name: string) => join(dirname(made.dir), `${name}-${process.pid}-${Date.now()}`);

describe("[B-17] a worktree whose repository has another path by now", () => {
  it.each(["renamed", "copied"] as const)("goes on with its work when it was %s", async (how) => {
    const first = await start();
    put(first, "a.txt", "two\n");
    const pointer = readFileSync(join(first.record.adminDir, "gitdir"), "utf8");
    const top = other(how);
    if (how === "renamed") renameSync(made.dir, top);
    else cpSync(made.dir, top, { recursive: true, verbatimSymlinks: true });
    try {
      const here = await at(top);
      expect(here.path.startsWith(`${requireRepository(top).top}/`)).toBe(true);
      expect(await paths(here)).toEqual(["modified a.txt"]);
      const common = plainGit(here.path, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
      expect(common).toBe(requireRepository(top).commonDir);
      const { refs, left } = await retireWorktree(here.repository, runId);
      expect({ refs: refs.length, left }).toEqual({ refs: 1, left: undefined });
      expect(plainGit(top, "worktree", "list").trim().split("\n")).toHaveLength(1);
    } finally {
      if (how === "renamed") renameSync(top, made.dir);
      else rmSync(top, { recursive: true });
    }
    const untouched = how === "copied" && readFileSync(join(first.record.adminDir, "gitdir"), "utf8") === pointer;
    expect(untouched).toBe(how === "copied");
  });

  it("is still refused when a link is in place of its folder", async () => {
    const first = await start();
    const top = other("linked");
    renameSync(made.dir, top);
    try {
      const path = join(top, ".thehood-work", runId, "work");
      rmSync(path, { recursive: true });
      mkdirSync(join(top, "elsewhere"));
      symlinkSync(join(top, "elsewhere"), path);
      await expect(paths(await at(top))).rejects.toThrow("was replaced by something else");
    } finally {
      renameSync(top, made.dir);
    }
    expect(first.runId).toBe(runId);
  });
});
