// Objects that a gc of the user's takes away before they have a name: the work goes on, and what it named stays.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, plainGit } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { withGcPaused, bringIn, git, missingAmong, requireRepository, type Repository } from "./index.ts";

function scene() {
  const made = makeRepository({ "a.txt": "one\n" });
  const repository = requireRepository(made.dir);
  const objects = join(repository.commonDir, "objects");
  return {
    made,
    repository,
    objects,
    gcFile: join(repository.commonDir, "gc.pid"),
    /** A new file in a new tree in a new commit: none of them was there before. */
    async make(where: Repository, text: string): Promise<string> {
      const said = async (args: string[], stdin: string | Buffer) =>
        (await git(where, args, { stdin })).stdout.toString("latin1").trim();
      const blob = await said(["hash-object", "-w", "--stdin"], text);
      const entry = Buffer.concat([Buffer.from("100644 new.txt\0"), Buffer.from(blob, "hex")]);
      const tree = await said(["hash-object", "-t", "tree", "-w", "--stdin"], entry);
      return said(["commit-tree", "-m", "made", tree], "");
    },
    name: (commit: string) => git(repository, ["update-ref", "refs/thehood/test", commit]),
    left: () => [
      ...readdirSync(objects).filter((name) => name.startsWith("thehood-")),
      ...readdirSync(join(objects, "pack")).filter((name) => name.endsWith(".keep")),
    ],
  };
}

type Scene = ReturnType<typeof scene>;

function linked({ git: plain }: Scene["made"]): string {
  const folder = join(tempFolder("linked-"), "tree");
  plain("worktree", "add", "-q", "--detach", folder);
  return folder;
}

function lender({ commonDir }: Repository): string {
  const other = makeRepository({ "b.txt": "two\n" }).dir;
  mkdirSync(join(commonDir, "objects", "info"), { recursive: true });
  writeFileSync(join(commonDir, "objects", "info", "alternates"), `${join(other, ".git", "objects")}\n`);
  return other;
}

function within({ dir }: Scene["made"]): string {
  const folder = join(dir, "folder");
  mkdirSync(folder);
  return folder;
}

function bare(): string {
  const folder = tempFolder("bare-");
  plainGit(folder, "init", "-q", "--bare");
  return folder;
}

interface Named {
  readonly cwd: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that looks like a `git prune` for as long as the test runs. */
const beginCollecting = (cwd: string, words: readonly string[] = [], env: Named["env"] = {}): Promise<void> =>
  begin("git", [...words, "prune"], cwd, env);

async function begin(name: string, words: readonly string[], cwd: string, env: Named["env"] = {}): Promise<void> {
  const wait = "setTimeout(() => undefined, 60_000)";
  const collector = spawn(process.execPath, ["-e", wait, "--", ...words], {
    argv0: name,
    stdio: "ignore",
    cwd,
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void collector.kill());
  await once(collector, "spawn");
}

/** For each time that the work was done: whether it was done aside. */
async function placesBeside(at: Scene): Promise<boolean[]> {
  const seen: boolean[] = [];
  await withGcPaused(at.repository, async (where) => {
    seen.push(where.aside !== undefined);
    const id = await at.make(where, "work\n");
    await bringIn(where, id);
    await at.name(id);
  });
  return seen;
}

const removeAll = (folder: string): void => rmSync(folder, { recursive: true });

describe("[B-15] work beside a gc of the user's", () => {
  it("is done again where gc does not look, and what it brings in outlives every gc until it has its name", async () => {
    const { made, repository, make, name, left } = scene();
    let tries = 0;
    const commit = await withGcPaused(repository, async (where) => {
      tries += 1;
      const id = await make(where, "work\n");
      made.git("prune", "--expire=now");
      await bringIn(where, id);
      made.git("prune", "--expire=now");
      made.git("gc", "-q", "--prune=now");
      await name(id);
      return id;
    });
    expect(tries).toBe(2);
    expect(made.git("show", `${commit}:new.txt`)).toBe("work\n");
    expect(left()).toEqual([]);
    made.git("gc", "-q", "--prune=now");
    expect(made.git("show", "refs/thehood/test:new.txt")).toBe("work\n");
    expect(made.git("fsck", "--connectivity-only")).toBe("");
  });

  it("needs no pack where no process collects", async () => {
    const { repository, objects, make, name } = scene();
    const before = readdirSync(join(objects, "pack"));
    const commit = await withGcPaused(repository, async (where) => {
      const id = await make(where, "work\n");
      await bringIn(where, id);
      await name(id);
      return id;
    });
    expect(readdirSync(join(objects, "pack"))).toEqual(before);
    expect(await missingAmong(repository, [commit])).toEqual([]);
  });

  it("begins aside while a gc runs, and is done again when one began meanwhile; an old file of a gc counts for nothing", async () => {
    const { repository, gcFile, make, name } = scene();
    const places = async (begin: () => void) => {
      const seen: boolean[] = [];
      await withGcPaused(repository, async (where) => {
        seen.push(where.aside !== undefined);
        const id = await make(where, "work\n");
        await bringIn(where, id);
        await name(id);
        begin();
      });
      return seen;
    };
    expect(await places(() => writeFileSync(gcFile, "1 here"))).toEqual([false, true]);
    expect(await places(() => undefined)).toEqual([true]);
    utimesSync(gcFile, 1_000, 1_000);
    expect(await places(() => undefined)).toEqual([false]);
  });

  it.skipIf(process.platform !== "linux").each([
    ["here", ({ made }: Scene) => made.dir, [false, true]],
    ["in a linked worktree", ({ made }: Scene) => linked(made), [false, true]],
    ["in git's folder", ({ repository }: Scene) => join(repository.commonDir, "objects"), [false, true]],
    ["in a folder without a repository", () => tempFolder("none-"), [false, true]],
    ["in another repository", () => makeRepository({ "b.txt": "two\n" }).dir, [false]],
    ["in another repository that lends us objects", ({ repository }: Scene) => lender(repository), [false, true]],
    ["in a bare repository", () => bare(), [false]],
    ["in another folder that is removed below it", () => tempFolder("gone-"), [false], rmdirSync],
    ["in a linked worktree that is removed below it", ({ made }: Scene) => linked(made), [false, true], removeAll],
    ["in a folder of ours that is removed below it", ({ made }: Scene) => within(made), [false, true], rmdirSync],
  ] as const)(
    "is done again while a git prune runs %s, which leaves no file that says it",
    async (_, place, expected, remove: (folder: string) => void = () => undefined) => {
      const at = scene();
      const cwd = place(at);
      await beginCollecting(cwd);
      remove(cwd);
      expect(await placesBeside(at)).toEqual(expected);
    },
  );

  it.skipIf(process.platform !== "linux").each([
    [
      "ours by its words",
      (ours: string) => ({ cwd: tempFolder("none-"), words: [`--git-dir=${ours}`] }),
      [false, true],
    ],
    ["ours by a variable", (ours: string) => ({ cwd: bare(), env: { GIT_DIR: ours } }), [false, true]],
    ["another by its words", () => ({ cwd: tempFolder("none-"), words: ["--git-dir", bare()] }), [false]],
    ["another by a variable, as a push does it", () => ({ cwd: bare(), env: { GIT_DIR: "." } }), [false]],
    ["one from another folder", (ours: string) => ({ cwd: bare(), env: { GIT_DIR: basename(ours) } }), [false, true]],
  ] as const)(
    "is done again while a git prune names %s, unless it is another for certain",
    async (_, named, expected) => {
      const at = scene();
      const { cwd, words, env }: Named = named(at.repository.commonDir);
      await beginCollecting(cwd, words, env);
      expect(await placesBeside(at)).toEqual(expected);
    },
  );

  it.skipIf(process.platform !== "linux").each([
    ["/usr/lib/git-core/git-repack", ["-d"], [false, true]],
    ["/usr/lib/git-core/git", ["repack"], [false, true]],
    ["/usr/lib/git-core/git", ["reset", "--hard"], [false]],
    ["/usr/bin/digit", ["gc"], [false]],
  ] as const)("is done again beside %s %j only when that collects", async (name, words, expected) => {
    const at = scene();
    await begin(name, words, at.made.dir);
    expect(await placesBeside(at)).toEqual(expected);
  });

  it("brings its objects in although another ref leads to nothing", async () => {
    const { made, repository, objects, gcFile, make, name } = scene();
    const lost = made.git("commit-tree", "-m", "lost", "HEAD^{tree}").trim();
    made.git("update-ref", "refs/thehood/lost", lost);
    rmSync(join(objects, lost.slice(0, 2), lost.slice(2)));
    writeFileSync(gcFile, "1 here");
    const commit = await withGcPaused(repository, async (where) => {
      const id = await make(where, "work\n");
      await bringIn(where, id);
      await name(id);
      return id;
    });
    expect(made.git("show", `${commit}:new.txt`)).toBe("work\n");
  });

  it("makes again a commit that has its name and is gone", async () => {
    const { made, repository, objects, name } = scene();
    const author = { name: "A", email: "a@example.com", date: "1700000000 +0000" };
    const id = await withGcPaused(repository, async (where) => {
      const args = ["commit-tree", "-m", "same", "HEAD^{tree}"];
      const commit = (await git(where, args, { author })).stdout.toString("latin1").trim();
      await bringIn(where, commit);
      if (!where.aside) {
        await name(commit);
        rmSync(join(objects, commit.slice(0, 2), commit.slice(2)));
      }
      await git(repository, ["cat-file", "-e", commit]);
      return commit;
    });
    expect(made.git("rev-parse", "refs/thehood/test").trim()).toBe(id);
    expect(made.git("log", "-1", "--format=%s", id).trim()).toBe("same");
  });

  it("finds the repository's own objects in a folder with any name", async () => {
    const { made } = scene();
    const odd = join(tempFolder("odd-"), 'a:b "c" \\ é');
    renameSync(made.dir, odd);
    const repository = requireRepository(odd);
    writeFileSync(join(repository.commonDir, "gc.pid"), "1 here");
    await withGcPaused(repository, async (where) => {
      const args = ["commit-tree", "-m", "made", "HEAD^{tree}"];
      const commit = (await git(where, args)).stdout.toString("latin1").trim();
      await bringIn(where, commit);
      await git(repository, ["update-ref", "refs/thehood/test", commit]);
    });
    expect(plainGit(odd, "log", "-1", "--format=%s", "refs/thehood/test").trim()).toBe("made");
  });

  it("ends with git's own words after some tries, and other failures end it at once", async () => {
    const { repository, left } = scene();
    let tries = 0;
    const never = withGcPaused(repository, async (where) => {
      tries += 1;
      await git(where, ["cat-file", "-e", "f".repeat(40)]);
    });
    await expect(never).rejects.toMatchObject({ failure: { code: "git_failed" } });
    expect(tries).toBe(4);
    const other = withGcPaused(repository, () => {
      tries += 1;
      return Promise.reject(new TypeError("a bug"));
    });
    await expect(other).rejects.toThrow("a bug");
    expect(tries).toBe(5);
    expect(left()).toEqual([]);
  });

  it("removes what a killed process left, after a day", async () => {
    const { repository, objects, gcFile, left } = scene();
    writeFileSync(gcFile, "1 here");
    for (const name of ["thehood-aside-old", "thehood-aside-new"]) mkdirSync(join(objects, name));
    const mark = "TheHood keeps this pack until a ref leads to it\n";
    const marks = { "pack-old.keep": mark, "pack-new.keep": mark, "pack-user.keep": "mine\n" };
    for (const [name, text] of Object.entries(marks)) writeFileSync(join(objects, "pack", name), text);
    for (const name of ["thehood-aside-old", "pack/pack-old.keep", "pack/pack-user.keep"])
      utimesSync(join(objects, name), 1_000, 1_000);
    await withGcPaused(repository, () => Promise.resolve());
    expect(left().toSorted()).toEqual(["pack-new.keep", "pack-user.keep", "thehood-aside-new"]);
  });
});
