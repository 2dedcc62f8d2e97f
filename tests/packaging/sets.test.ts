// Which test files `npm test` leaves out, by the files that changed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { changedFiles, keepGreen } from "../../scripts/test/changed.ts";
import { filesLeftOut, wings, wingsLeftOut } from "../../scripts/test/sets.ts";
import { tempFolder } from "../support/temp-folder.ts";

const root = resolve(import.meta.dirname, "../..");
const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => `tests/${path}`);
const names = (changed?: readonly string[]) => wingsLeftOut(changed).map(({ name }) => name);

describe("the wings that npm test leaves out", () => {
  it("are all of them where nothing of theirs changed, and none where the changes are not known", () => {
    expect(names(["README.md", "src/core/contract/plain.ts"])).toEqual(wings.map(({ name }) => name));
    expect(names()).toEqual([]);
  });

  it.each([
    ["browser", "src/oracle/browser/cdp/client.ts"],
    ["web", "tests/web/page.test.ts"],
    ["many", "src/fleet/worker.ts"],
    ["gateway", "src/gateway/http/server.ts"],
    ["packaging", "package.json"],
    ["scenarios", "src/core/machine/decide/decide.ts"],
    ["crash", "src/platform/store/log.ts"],
    ["cli", "src/operations/all.ts"],
    ["long", "tests/cli/canary.long.test.ts"],
  ])("do not include %s after a change of %s", (wing, path) => {
    expect(names([path])).not.toContain(wing);
  });

  it("keep their smoke tests, which exist, and lose the rest", () => {
    const left = filesLeftOut(files, wings);
    for (const { name, smoke } of wings.filter((wing) => wing.name !== "long")) {
      expect(smoke.length, name).toBeGreaterThan(0);
      for (const file of smoke) expect(existsSync(join(root, file)), file).toBe(true);
      expect(left.filter((file) => smoke.includes(file))).toEqual([]);
    }
    expect(left).toEqual(expect.arrayContaining(["tests/web/page.test.ts", "tests/browser/death.test.ts"]));
    expect(left).not.toContain("tests/cli/run.test.ts");
    expect(left.length).toBeLessThan(files.length * 0.7);
  });
});

describe("the changed files", () => {
  function checkout() {
    const folder = tempFolder("thehood-changed-");
    const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false"];
    const git = (...args: string[]) =>
      execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).trim();
    const commit = (name: string) => {
      writeFileSync(join(folder, name), name);
      git("add", "-A");
      git("commit", "-q", "-m", name);
      return git("rev-parse", "HEAD");
    };
    git("init", "-q", "-b", "main");
    writeFileSync(join(folder, ".gitignore"), ".build\n");
    mkdirSync(join(folder, ".build"));
    return { folder, git, commit };
  }

  it("are those since the branch left main, with uncommitted and new ones", () => {
    const { folder, git, commit } = checkout();
    const base = commit("a");
    git("checkout", "-q", "-b", "work");
    commit("b");
    writeFileSync(join(folder, "a"), "other");
    writeFileSync(join(folder, "c"), "new");
    expect(changedFiles(folder)).toEqual({ since: base, files: ["a", "b", "c"] });
  });

  it("are those since all tests last passed, as long as that commit is an ancestor", () => {
    const { folder, git, commit } = checkout();
    commit("a");
    const green = commit("b");
    keepGreen(folder, green);
    commit("c");
    expect(changedFiles(folder)).toEqual({ since: green, files: ["c"] });
    git("reset", "-q", "--hard", "HEAD~2");
    expect(changedFiles(folder)).toEqual({ since: git("rev-parse", "HEAD"), files: [] });
  });

  it("are not known outside of a git checkout", () => {
    expect(changedFiles(tempFolder("thehood-no-git-"))).toBeUndefined();
  });
});

describe("test files that share a process", () => {
  it("find no hook in a support module: it would be registered for the first file that loads it alone", () => {
    const support = join(root, "tests/support");
    const hook = /^(?:before|after)(?:Each|All)\(/m;
    const named = readdirSync(support, { recursive: true, encoding: "utf8" }).filter(
      (path) =>
        /^(?!.*\.test)(?!count-assertions).*\.ts$/.test(path) && hook.test(readFileSync(join(support, path), "utf8")),
    );
    expect(named).toEqual([]);
  });
});
