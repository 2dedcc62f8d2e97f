import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRepository } from "../../../platform/git/index.ts";
import { plainGit, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { recoverApplies, revertInCheckout } from "./index.ts";

const lines = `${Array.from({ length: 20 }, (_, line) => `line ${line}`).join("\n")}\n`;
const base = { "a.txt": `before\n${lines}`, "old.txt": "old\n", "other.txt": "other\n" };

/** A checkout with work in it: a.txt changed, new.txt made, old.txt removed. */
function scene() {
  const dir = tempFolder("take-out-");
  const git = (...args: string[]) => plainGit(dir, ...args).trimEnd();
  const put = (path: string, text: string) => writeFiles(dir, { [path]: text });
  const read = (path: string) => readFileSync(join(dir, path), "utf8");
  git("init", "-q", "-b", "main");
  writeFiles(dir, base);
  git("add", "-A");
  git("commit", "-qm", "base");
  const fromTree = git("write-tree");
  put("a.txt", `after\n${lines}`);
  put("new.txt", "new\n");
  rmSync(join(dir, "old.txt"));
  git("add", "-A");
  const tree = git("write-tree");
  git("reset", "-q");
  const repository = findRepository(dir);
  if (!repository) throw new Error("no repository");
  const placed = { fromTree, tree, paths: ["a.txt", "new.txt", "old.txt"] };
  const undo = (fence?: (commit: () => void) => Promise<void>) =>
    revertInCheckout(repository, { runId: "run_1", placed, fence });
  const status = () => git("status", "--short", "--untracked-files=all");
  return { dir, git, put, read, undo, status, repository };
}

describe("taking work out of a checkout", () => {
  it("[B-20] brings back the files as they were, with the checkout pinned first", async () => {
    const { git, undo, status } = scene();
    const out = await undo();
    expect(out).toMatchObject({ ok: true, taken: { paths: ["a.txt", "new.txt", "old.txt"], gone: [] } });
    expect(status()).toBe("");
    expect(git("show", "refs/thehood/keep/run_1/1:a.txt")).toMatch(/^after/);
    expect(await undo()).toMatchObject({ ok: true, taken: { paths: [], keptRef: null } });
  });

  it("[B-20] keeps edits that the user made on top, also in the same file", async () => {
    const { git, put, read, undo, status } = scene();
    put("a.txt", read("a.txt").replace("line 19", "mine"));
    put("other.txt", "mine\n");
    put("notes.txt", "mine\n");
    git("add", "other.txt");
    expect(await undo()).toMatchObject({ ok: true });
    expect(read("a.txt")).toBe(base["a.txt"].replace("line 19", "mine"));
    expect(status()).toBe(" M a.txt\nM  other.txt\n?? notes.txt");
  });

  it("[B-20] changes nothing where the user changed the very lines, or made a removed file anew, and names them", async () => {
    const { put, undo, status, read } = scene();
    put("a.txt", `after all\n${lines}`);
    put("old.txt", "another\n");
    const before = status();
    const out = await undo();
    expect(out).toMatchObject({ ok: false, paths: ["a.txt", "old.txt"] });
    expect(status()).toBe(before);
    expect(read("a.txt")).toMatch(/^after all/);
    put("a.txt", `after\n${lines}`);
    put("old.txt", "old\n");
    expect(await undo()).toMatchObject({ ok: true });
    expect(status()).toBe("");
  });

  it("[B-20] changes nothing where the user staged other content of the same file", async () => {
    const { git, put, undo, status } = scene();
    put("a.txt", `staged\n${lines}`);
    git("add", "a.txt");
    put("a.txt", `after\n${lines}`);
    const before = status();
    expect(await undo()).toMatchObject({ ok: false, paths: ["a.txt"] });
    expect(status()).toBe(before);
  });

  it("[B-20] leaves files alone that were deleted since", async () => {
    const { dir, undo, status } = scene();
    rmSync(join(dir, "a.txt"));
    rmSync(join(dir, "new.txt"));
    const taken = { paths: ["old.txt"], gone: ["a.txt", "new.txt"] };
    expect(await undo()).toMatchObject({ ok: true, taken });
    expect(status()).toBe(" D a.txt");
  });

  it("[B-20] takes committed work out as a change to commit, also after later commits", async () => {
    const { git, put, undo, status } = scene();
    git("add", "-A");
    git("commit", "-qm", "the work");
    put("other.txt", "later\n");
    git("commit", "-qam", "later");
    expect(await undo()).toMatchObject({ ok: true, taken: { committed: ["a.txt", "new.txt", "old.txt"] } });
    expect(status()).toBe(" M a.txt\n D new.txt\n?? old.txt");
    expect(git("diff", "HEAD~2", "--", "a.txt")).toBe("");
  });

  it("[B-20] takes staged work out of the index too, and leaves other staged work there", async () => {
    const { git, put, read, undo, status } = scene();
    put("other.txt", "mine\n");
    git("add", "-A");
    put("a.txt", read("a.txt").replace("line 19", "mine"));
    expect(await undo()).toMatchObject({ ok: true });
    expect(status()).toBe(" M a.txt\nM  other.txt");
  });

  it("[B-20] follows a file that the work had renamed and the user edited", async () => {
    const { git, repository, put, read, status, dir } = scene();
    git("checkout", "-q", ".");
    rmSync(join(dir, "new.txt"));
    const fromTree = git("rev-parse", "HEAD^{tree}");
    git("mv", "a.txt", "renamed.txt");
    const placed = { fromTree, tree: git("write-tree"), paths: ["a.txt", "renamed.txt"] };
    git("reset", "-q");
    put("renamed.txt", read("renamed.txt").replace("line 19", "mine"));
    expect(await revertInCheckout(repository, { runId: "run_1", placed })).toMatchObject({ ok: true });
    expect(existsSync(join(dir, "renamed.txt"))).toBe(false);
    expect(read("a.txt")).toBe(base["a.txt"].replace("line 19", "mine"));
    expect(status()).toBe(" M a.txt");
  });

  it("[B-20] is finished by the next process when one dies after the journal was written, and undone before that", async () => {
    const { undo, status, repository } = scene();
    const before = status();
    await expect(undo(() => Promise.reject(new Error("killed before")))).rejects.toThrow("killed before");
    await recoverApplies(repository);
    expect(status()).toBe(before);
    const dies = (commit: () => void) => {
      commit();
      return Promise.reject(new Error("killed after"));
    };
    await expect(undo(dies)).rejects.toThrow("killed after");
    await recoverApplies(repository);
    expect(status()).toBe("");
    expect(await undo()).toMatchObject({ ok: true, taken: { paths: [] } });
  });
});
