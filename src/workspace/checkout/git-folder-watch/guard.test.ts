import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, plainGit, type TestRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { endGitFolderWatch, watchGitFolder } from "./watch.ts";
import { removeFolder } from "../../../../tests/support/remove-folder.ts";

let made: TestRepository;
afterEach(() => made.remove());
function repository() {
  made = makeRepository();
  return requireRepository(made.dir);
}
const runId = "run_000001";

describe("the watch over the shared git folder [R-30]", () => {
  it("a planted hook is found and removed, a changed one is put back", () => {
    const repo = repository();
    const own = join(repo.commonDir, "hooks/pre-commit");
    writeFileSync(own, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    watchGitFolder(repo, runId);
    writeFileSync(own, "#!/bin/sh\nevil\n");
    writeFileSync(join(repo.commonDir, "hooks/post-checkout"), "evil");
    expect(endGitFolderWatch(repo, runId)).toEqual(["hooks/post-checkout", "hooks/pre-commit"]);
    expect(readFileSync(own, "utf8")).toBe("#!/bin/sh\nexit 0\n");
    expect(existsSync(join(repo.commonDir, "hooks/post-checkout"))).toBe(false);
  });

  it("configuration that can start a program is put back", () => {
    const repo = repository();
    watchGitFolder(repo, runId);
    plainGit(repo.top, "config", "core.fsmonitor", "./evil");
    expect(endGitFolderWatch(repo, runId)).toEqual(["config"]);
    expect(readFileSync(join(repo.commonDir, "config"), "utf8")).not.toContain("fsmonitor");
  });

  it("what the user's own git notes meanwhile is left alone", () => {
    const repo = repository();
    watchGitFolder(repo, runId);
    plainGit(repo.top, "config", "branch.main.remote", "origin");
    expect(endGitFolderWatch(repo, runId)).toEqual([]);
    expect(readFileSync(join(repo.commonDir, "config"), "utf8")).toContain("branch");
  });

  it("a watch outlives the process that began it and is not begun anew over tampered files", () => {
    const repo = repository();
    watchGitFolder(repo, runId);
    writeFileSync(join(repo.commonDir, "hooks/pre-push"), "evil");
    watchGitFolder(repo, runId);
    expect(endGitFolderWatch(repo, runId)).toEqual(["hooks/pre-push"]);
    expect(endGitFolderWatch(repo, runId)).toEqual([]);
  });
});

/** A repository with a linked worktree, a submodule, and a submodule within that. */
function nested() {
  const repo = repository();
  const sources = join(made.dir, "../", `${made.dir.split("/").at(-1)}-sources`);
  onTestFinished(() => removeFolder(sources));
  const local = ["-c", "protocol.file.allow=always"];
  for (const name of ["inner", "outer"]) {
    mkdirSync(join(sources, name), { recursive: true });
    plainGit(join(sources, name), "init", "-q", "-b", "main");
    plainGit(join(sources, name), "commit", "-q", "--allow-empty", "-m", name);
  }
  plainGit(join(sources, "outer"), ...local, "submodule", "add", "-q", join(sources, "inner"), "deep/inner");
  plainGit(join(sources, "outer"), "commit", "-qm", "inner");
  // The name is one that git also gives to a folder of its own.
  plainGit(made.dir, ...local, "submodule", "add", "-q", "--name", "hooks", join(sources, "outer"), "outer");
  plainGit(made.dir, ...local, "submodule", "update", "-q", "--init", "--recursive");
  made.commit("outer");
  plainGit(made.dir, "worktree", "add", "-q", "--detach", join(sources, "side"));
  return { repo, sources, local };
}

const places = [
  "commondir",
  ...["", ".worktree"].map((ending) => `config${ending}`),
  ...["pre-commit", "sub/helper"].map((name) => `hooks/${name}`),
  ...["attributes", "exclude", "grafts", "sparse-checkout"].map((name) => `info/${name}`),
  ...["alternates", "http-alternates"].map((name) => `objects/info/${name}`),
];
const folders = ["", "modules/hooks/", "modules/hooks/modules/deep/inner/", "worktrees/side/"];

describe("every place that steers git [R-30]", () => {
  it("is found and put back, in each git folder of the repository", () => {
    const { repo } = nested();
    const paths = folders.flatMap((folder) => places.map((place) => `${folder}${place}`));
    const read = (path: string) => {
      const full = join(repo.commonDir, path);
      return existsSync(full) ? readFileSync(full, "utf8") : null;
    };
    const before = paths.map(read);
    expect(before.some((text) => text !== null)).toBe(true);
    watchGitFolder(repo, runId);
    for (const path of paths) {
      mkdirSync(dirname(join(repo.commonDir, path)), { recursive: true });
      writeFileSync(join(repo.commonDir, path), "[core]\n\teditor = evil\n");
    }
    expect(endGitFolderWatch(repo, runId)).toEqual(paths.toSorted());
    expect(paths.map(read)).toEqual(before);
  });

  it("comes back when it was removed, and in its old mode", () => {
    const repo = repository();
    const hook = join(repo.commonDir, "hooks/pre-push");
    writeFileSync(hook, "#!/bin/sh\n", { mode: 0o755 });
    watchGitFolder(repo, runId);
    rmSync(join(repo.commonDir, "hooks"), { recursive: true });
    const changed = endGitFolderWatch(repo, runId);
    expect(changed).toContain("hooks/pre-push");
    expect(statSync(hook).mode & 0o777).toBe(0o755);
  });

  it("is not reached through a link that a worker laid on the way to it", () => {
    const repo = repository();
    const exclude = readFileSync(join(repo.commonDir, "info/exclude"), "utf8");
    const theirs = join(made.dir, "theirs");
    mkdirSync(theirs);
    writeFileSync(join(theirs, "attributes"), "not git's\n");
    watchGitFolder(repo, runId);
    renameSync(join(repo.commonDir, "info"), join(repo.commonDir, "info.old"));
    symlinkSync(theirs, join(repo.commonDir, "info"));
    expect(endGitFolderWatch(repo, runId)).toEqual(["info", "info/exclude"]);
    expect(readFileSync(join(repo.commonDir, "info/exclude"), "utf8")).toBe(exclude);
    expect(readFileSync(join(theirs, "attributes"), "utf8")).toBe("not git's\n");
    expect(existsSync(join(theirs, "exclude"))).toBe(false);
  });

  it("a hook is found behind any number of other files", () => {
    const repo = repository();
    watchGitFolder(repo, runId);
    for (let index = 0; index < 600; index += 1) writeFileSync(join(repo.commonDir, `hooks/a${index}`), "");
    writeFileSync(join(repo.commonDir, "hooks/pre-push"), "evil");
    expect(endGitFolderWatch(repo, runId)).toContain("hooks/pre-push");
    expect(existsSync(join(repo.commonDir, "hooks/pre-push"))).toBe(false);
  });

  it("a submodule that a worker planted cannot run anything", () => {
    const repo = repository();
    watchGitFolder(repo, runId);
    const planted = join(repo.commonDir, "modules/planted");
    plainGit(made.dir, "init", "-q", "--bare", planted);
    writeFileSync(join(planted, "hooks/post-checkout"), "evil", { mode: 0o755 });
    expect(endGitFolderWatch(repo, runId)).toContain("modules/planted/hooks/post-checkout");
    expect(existsSync(join(planted, "hooks/post-checkout"))).toBe(false);
  });

  it("worktrees and submodules that the user adds or removes meanwhile are left alone", () => {
    const { repo, sources, local } = nested();
    watchGitFolder(repo, runId);
    plainGit(made.dir, "worktree", "remove", join(sources, "side"));
    plainGit(made.dir, "worktree", "add", "-q", "--detach", join(sources, "new"));
    plainGit(
      made.dir,
      ...local,
      "clone",
      "-q",
      "--separate-git-dir",
      join(repo.commonDir, "modules/added"),
      join(sources, "inner"),
      "added",
    );
    expect(endGitFolderWatch(repo, runId)).toEqual([]);
    expect(plainGit(join(sources, "new"), "status", "--short")).toBe("");
    expect(plainGit(join(made.dir, "added"), "status", "--short")).toBe("");
  });
});

describe("[B-18] what belongs to the user", () => {
  it("stays when the worker cannot have written it, and with a line of the worker's beside it", () => {
    const repo = repository();
    const config = join(repo.commonDir, "config");
    const hook = join(repo.commonDir, "hooks/pre-commit");
    watchGitFolder(repo, runId);
    plainGit(made.dir, "remote", "add", "mine", "https://example.org/mine.git");
    plainGit(made.dir, "config", "core.editor", "evil");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\n");
    expect(endGitFolderWatch(repo, runId, ["config"])).toEqual(["config"]);
    expect(plainGit(made.dir, "remote", "get-url", "mine").trim()).toBe("https://example.org/mine.git");
    expect(readFileSync(config, "utf8")).not.toContain("evil");
    expect(existsSync(hook)).toBe(true);
    watchGitFolder(repo, runId);
    plainGit(made.dir, "config", "core.editor", "mine");
    expect(endGitFolderWatch(repo, runId, [])).toEqual([]);
    expect(readFileSync(config, "utf8")).toContain("mine");
  });

  it("is kept as a copy where its owner is unknown", () => {
    const repo = repository();
    const hook = join(repo.commonDir, "hooks/pre-push");
    watchGitFolder(repo, runId);
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\nmine\n");
    expect(endGitFolderWatch(repo, runId)).toEqual(["hooks/pre-push"]);
    expect(existsSync(hook)).toBe(false);
    const copy = join(repo.commonDir, "thehood/watch", `${runId}.changed`, "hooks/pre-push");
    expect(readFileSync(copy, "utf8")).toContain("mine");
  });
});
