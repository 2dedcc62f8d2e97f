import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gitIn } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { CheckSpec } from "../../../core/contract/index.ts";
import { requireRepository, type Repository } from "../../../platform/git/index.ts";
import { createCommandRunner, detectSandbox } from "../../../platform/sandbox/index.ts";
import { runCheck } from "./run-check.ts";

const dir = tempFolder("run-check-");
const run = gitIn(dir);
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};
const commit = () => {
  run("add", "-A");
  run("commit", "-qm", "x");
  return run("rev-parse", "HEAD^{tree}");
};
const test = "import test from 'node:test'; import { add } from './add.js'; import assert from 'node:assert';\n";
let repository: Repository;
let broken = "";
let good = "";

beforeAll(() => {
  run("init", "-q");
  put(".gitignore", "node_modules\n.thehood/\n");
  put("package.json", JSON.stringify({ type: "module", scripts: { test: "node --test", lint: "true" } }));
  put("add.js", "import dep from 'dep'; export const add = (a, b) => a - b;\n");
  put("add.test.js", `${test}test('adds', () => assert.equal(add(1, 2), 3));\n`);
  put("node_modules/dep/index.js", "module.exports = 1;\n");
  broken = commit();
  put("add.js", "import dep from 'dep'; export const add = (a, b) => a + b;\n");
  good = commit();
  repository = requireRepository(dir);
});

const runner = createCommandRunner({
  environment: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
});
const sandbox = await detectSandbox({ path: process.env["PATH"] ?? "" });
const spec = (argv: [string, ...string[]], more: Partial<CheckSpec> = {}): CheckSpec => ({
  id: "x:y",
  kind: "test",
  argv,
  cwd: "",
  source: "config",
  timeoutMs: 30_000,
  ...more,
});
const check = (tree: string, one: CheckSpec, by = runner) =>
  runCheck({ repository, runner: by, scratchRoot: join(dir, ".thehood/worktrees/checks"), spec: one, tree });
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("running a check on exactly one tree [R-33]", () => {
  it("[R-33] [B-7] code that rewrites its tests while they run proves nothing", async () => {
    const rewrite =
      "import fs from 'node:fs'; const file = new URL('add.test.js', import.meta.url);\n" +
      "fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('3)', '-1)'));\n";
    put("add.js", `${rewrite}export const add = (a, b) => a - b;\n`);
    const script = "node --import ./add.js --test";
    put("package.json", JSON.stringify({ type: "module", scripts: { test: script } }));
    const cheating = commit();
    run("reset", "-q", "--hard", "HEAD~1");
    const open = createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } });
    expect(await check(cheating, spec(["sh", "-c", script]), open)).toMatchObject({
      result: "failed",
      why: "add.test.js was changed while it ran",
    });
    if (sandbox.kind === "none") return;
    const shut = await check(cheating, spec(["sh", "-c", script]));
    expect(shut).toMatchObject({ result: "failed", why: "ended with code 1" });
    expect(text(shut.command.stderr) + text(shut.command.stdout)).toContain("EROFS");
  });

  it("[R-33] [B-7] a test that was rewritten and put back while they ran proves nothing, however many there are", async () => {
    const swap =
      "import fs from 'node:fs'; const file = process.argv[2]; const text = fs.readFileSync(file);\n" +
      "fs.writeFileSync(file, 'other'); fs.writeFileSync(file, text);\n";
    put("swap.mjs", swap);
    const names = Array.from({ length: 44 }, (_, at) => `test/a${10 + at}.test.js`);
    for (const path of names) put(path, "// nothing\n");
    put("test/z.json", "{}");
    const many = commit();
    run("reset", "-q", "--hard", "HEAD~1");
    const swapping = (path: string) => check(many, { ...spec(["node", "swap.mjs", path]), kind: "build" });
    const last = names.at(-1) ?? "";
    expect(await swapping(last)).toMatchObject({ result: "failed", why: `${last} was changed while it ran` });
    expect(await swapping("test/z.json")).toMatchObject({ result: "passed" });
  });

  it("[B-10] a package manager may bring its own lock up to date, and nothing may rewrite one that tests read", async () => {
    const write = "import fs from 'node:fs'; fs.writeFileSync(process.argv[2], 'new');\n";
    for (const path of ["write.mjs", "Cargo.lock", "tests/fixtures/Cargo.lock"]) put(path, write);
    const locks = commit();
    run("reset", "-q", "--hard", "HEAD~1");
    const open = createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } });
    const writing = (path: string) => check(locks, { ...spec(["node", "write.mjs", path]), kind: "build" }, open);
    expect(await writing("Cargo.lock")).toMatchObject({ result: "passed" });
    expect(await writing("tests/fixtures/Cargo.lock")).toMatchObject({
      result: "failed",
      why: "tests/fixtures/Cargo.lock was changed while it ran",
    });
  });

  it("begins nothing after a stop: no tree is made, and no command runs", async () => {
    const begun: string[] = [];
    const counting = {
      ...runner,
      run: (request: Parameters<typeof runner.run>[0]) => {
        begun.push(request.argv.join(" "));
        return runner.run(request);
      },
    };
    const [scratchRoot, signal] = [join(dir, ".thehood/stopped"), AbortSignal.abort()];
    const stopped = runCheck({ repository, runner: counting, scratchRoot, spec: spec(["node"]), tree: good, signal });
    await expect(stopped).rejects.toMatchObject({ failure: { code: "interrupted" } });
    expect({ begun, made: existsSync(scratchRoot) }).toEqual({ begun: [], made: false });
  });

  it("fails on the broken tree and passes on the good one, whatever the checkout holds", async () => {
    put("add.js", "syntax error in the user's checkout");
    const before = await check(broken, spec(["node", "--test"]));
    const after = await check(good, spec(["node", "--test"]));
    put("add.js", "import dep from 'dep'; export const add = (a, b) => a + b;\n");
    expect(before).toMatchObject({ result: "failed", testsRun: 1 });
    expect(after, text(after.command.stdout) + text(after.command.stderr)).toMatchObject({
      result: "passed",
      testsRun: 1,
    });
  });

  it("tells which of the watched files a check read, with a sandbox and without", async () => {
    for (const by of [runner, createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } })])
      expect(
        await runCheck({
          repository,
          runner: by,
          scratchRoot: join(dir, ".thehood/worktrees/checks"),
          spec: spec(["sh", "-c", "cat add.js"]),
          tree: good,
          watched: ["add.js", ".gitignore", "missing.js"],
        }),
      ).toMatchObject({ read: ["add.js"] });
  });

  it("[B-8] a read that the code sets back is reported all the same", async () => {
    const quiet = `cat add.js; node -e "require('node:fs').utimesSync('add.js', 1, 1)"`;
    const ran = await runCheck({
      repository,
      runner,
      scratchRoot: join(dir, ".thehood/worktrees/checks"),
      spec: spec(["sh", "-c", quiet]),
      tree: good,
      watched: ["add.js", ".gitignore"],
    });
    expect(ran).toMatchObject({ read: ["add.js"] });
  });

  it("runs a package script by its manager", async () => {
    const result = await check(good, spec(["npm", "run", "test"], { source: "package.json#scripts.test" }));
    expect(result, text(result.command.stdout) + text(result.command.stderr)).toMatchObject({
      result: "passed",
    });
  });

  it("a script that judges nothing does not pass", async () => {
    const lint = spec(["npm", "run", "lint"], { kind: "lint", source: "package.json#scripts.lint" });
    expect((await check(good, lint)).result).toBe("nothing_ran");
  });

  it("a check that hangs is ended", async () => {
    const result = await check(good, spec(["sleep", "60"], { timeoutMs: 300 }));
    expect(result.result).toBe("timed_out");
  });

  it("a program that is not here did not start", async () => {
    expect((await check(good, spec(["no-such-program-here"]))).result).toBe("not_started");
  });

  it("leaves no worktree, no folder and no change behind", async () => {
    await check(good, spec(["sh", "-c", "echo x > added; rm add.js; exit 0"]));
    expect(existsSync(join(dir, ".thehood/worktrees/checks"))).toBe(false);
    expect(run("worktree", "list").split("\n")).toHaveLength(1);
    expect(run("status", "--porcelain")).toBe("");
    expect(existsSync(join(dir, "added"))).toBe(false);
  });

  it.skipIf(sandbox.kind === "none")(
    "[S-6] a hostile check cannot plant a hook in the git folder it shares (needs bubblewrap)",
    async () => {
      const line = "echo evil > $(git rev-parse --git-common-dir)/hooks/post-checkout";
      const result = await check(good, spec(["sh", "-c", line]));
      expect(result.result).toBe("failed");
      expect(existsSync(join(dir, ".git/hooks/post-checkout"))).toBe(false);
    },
  );

  const look = `
    const fs = require("node:fs"); const { execSync } = require("node:child_process");
    const git = (line) => execSync("git " + line, { encoding: "utf8" }).trim();
    fs.mkdirSync("node_modules/.cache", { recursive: true });
    fs.writeFileSync("node_modules/.cache/x", "kept in the scratch tree");
    console.log(JSON.stringify({ cwd: process.cwd(), git: fs.lstatSync(".git").isDirectory(), dep: require("dep"),
      branch: git("symbolic-ref HEAD"), clean: git("status --porcelain"), parents: git("rev-list --count HEAD"),
      tag: git("describe --tags --abbrev=0"), env: process.env }));`;
  it.skipIf(sandbox.kind === "none")(
    "[B-10] a check sees the checkout's own path, git folder, branch and variables, and no secret (needs bubblewrap)",
    async () => {
      const plain = { EDITOR: "ed", TERM: "xterm-256color", LANG: "C.UTF-8", COLORTERM: "truecolor" };
      const host = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, ...plain };
      const secret = { GITHUB_TOKEN: "x", DB: "postgres://me:pw@host/db", THEHOOD_HOME: "/x" };
      const own = createCommandRunner({ environment: { ...host, ...secret, npm_lifecycle_event: "test" } });
      run("tag", "v1");
      const result = await runCheck({
        repository,
        runner: own,
        scratchRoot: join(dir, ".thehood/worktrees/checks"),
        spec: spec(["node", "-e", look], { kind: "other" }),
        tree: good,
      });
      const seen = JSON.parse(text(result.command.stdout) || text(result.command.stderr)) as { env: object };
      expect(seen).toMatchObject({
        cwd: dir,
        git: true,
        dep: 1,
        clean: "",
        tag: "v1",
        env: plain,
      });
      // Nothing is added that a suite could stumble over: NO_COLOR, FORCE_COLOR, CI.
      const always = ["HOME", "TMPDIR", "SHELL", "PWD"];
      expect(Object.keys(seen.env).toSorted()).toEqual([...Object.keys(host), ...always].toSorted());
      expect(seen).toMatchObject({
        branch: run("symbolic-ref", "HEAD"),
        parents: run("rev-list", "--count", "HEAD"),
      });
      expect(JSON.stringify(seen)).not.toMatch(/thehood|GITHUB_TOKEN|postgres|npm_lifecycle|"CI"|GOPROXY/i);
      expect(existsSync(join(dir, "node_modules/.cache"))).toBe(false);
    },
  );

  it("[B-10] git in a check knows the tree that is judged as the last commit, with a sandbox and without", async () => {
    const line =
      "git log -1 --format=%s && git status --porcelain && git cat-file -e HEAD~1^{tree} && git fsck --no-dangling";
    const open = createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } });
    for (const by of [runner, open]) {
      const ran = await check(broken, spec(["sh", "-c", line], { kind: "other" }), by);
      expect(text(ran.command.stderr)).not.toMatch(/error|fatal/);
      expect(ran).toMatchObject({ result: "passed" });
      expect(text(ran.command.stdout)).toBe("x\n");
    }
  });

  it.skipIf(sandbox.kind === "none")(
    "[B-10] git in a check finds what a clone borrows from another repository, and no other folder (needs bubblewrap)",
    async () => {
      const clone = tempFolder("borrows-");
      run("clone", "-q", "--shared", dir, clone);
      const secret = tempFolder("secret-");
      writeFileSync(join(secret, "key"), "s3cret");
      appendFileSync(join(clone, ".git/objects/info/alternates"), `${secret}\n`);
      const line = "git log -1 --format=%s && git cat-file -e HEAD~1^{tree} && ! cat .git/shared/*/key";
      const ran = await runCheck({
        repository: requireRepository(clone),
        runner,
        scratchRoot: join(clone, ".thehood/worktrees/checks"),
        spec: spec(["sh", "-c", line], { kind: "other" }),
        tree: broken,
      });
      expect(ran, text(ran.command.stderr)).toMatchObject({ result: "passed" });
    },
  );

  it.skipIf(sandbox.kind === "none")(
    "[B-10] many packages are found as well, with scopes and programs (needs bubblewrap)",
    async () => {
      for (let count = 0; count < 80; count++) put(`node_modules/p${count}/index.js`, `module.exports = ${count};`);
      put("node_modules/@s/a/index.js", "module.exports = require('p7') + require('dep');");
      const line = ["node", "-e", "if (require('@s/a') !== 8 || require('p79') !== 79) process.exit(1)"] as const;
      expect(await check(good, spec([...line], { kind: "other" }))).toMatchObject({ result: "passed" });
    },
  );
});
