import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { requireRepository } from "../../git/index.ts";
import { endGitFolderWatch, watchGitFolder } from "./index.ts";

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function repository() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "watch-")));
  dirs.push(dir);
  execFileSync("git", ["init", "-q"], { cwd: dir });
  return requireRepository(dir);
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
    execFileSync("git", ["config", "core.fsmonitor", "./evil"], { cwd: repo.top });
    expect(endGitFolderWatch(repo, runId)).toEqual(["config"]);
    expect(readFileSync(join(repo.commonDir, "config"), "utf8")).not.toContain("fsmonitor");
  });

  it("what the user's own git notes meanwhile is left alone", () => {
    const repo = repository();
    watchGitFolder(repo, runId);
    execFileSync("git", ["config", "branch.main.remote", "origin"], { cwd: repo.top });
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
