// What is told is what is there: of runs that were killed, of secrets in odd places, and of the way a push takes.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { userGitReader } from "../../src/platform/git/user/index.ts";
import { Bench, fence } from "./bench.ts";
import { waitFor } from "./wait.ts";

const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
/** Put together here, so that no file of ours looks like it holds a key. */
const token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");

let bench: Bench;
beforeEach(() => {
  bench = new Bench().withRepository({ "a.txt": "one\n", ".gitignore": "*.log\n" });
  bench.double([{ answer: fence(diff) }]);
});
afterEach(() => bench.dispose());

const push = ["-p", "change it please", "--apply-mode", "commit", "--push"];
const userConfig = (text: string) => writeFileSync(join(bench.dir, "user/.gitconfig"), text);

describe("a run that was killed", () => {
  it("[T-30] while it pushed does not deny its answer, its diff and its commit", async () => {
    const reached = join(bench.dir, "reached");
    const hook = join(bench.remote, "hooks/pre-receive");
    mkdirSync(join(bench.remote, "hooks"), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${reached}\nsleep 5\nexit 1\n`);
    chmodSync(hook, 0o755);
    const child = bench.start(push, { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(child);
    await waitFor(() => existsSync(reached), "the push");
    child.kill("SIGKILL");
    await ended;
    const id = bench.sessionIds[0] ?? "";
    const shown = await bench.run(["session", id, "--json"]);
    const { result } = JSON.parse(shown.stdout) as { result: Record<string, unknown> };
    const head = bench.git("rev-parse", "HEAD");
    expect(result).toMatchObject({
      status: "error",
      commitSha: head,
      treeHoldsPatch: true,
      diffFound: true,
      diffApplied: true,
      pushed: false,
      answerPath: bench.file(id, "answer.md"),
      diffPath: bench.file(id, "diff.patch"),
      error: { code: "interrupted", remedy: expect.stringContaining(head) as string },
    });
    expect(result["warnings"]).toEqual([expect.stringContaining("while the commit was pushed") as string]);
  });
});

describe("a push", () => {
  it("[T-22] goes where the user's own settings lead an address, and runs no program that the repository names", async () => {
    const ran = join(bench.dir, "ran");
    bench.git("remote", "set-url", "origin", "https://code.example.invalid/team/repo.git");
    bench.git("config", "remote.origin.receivepack", `touch ${ran}; git-receive-pack`);
    userConfig(`[url "file://${bench.dir}/"]\n\tinsteadOf = https://code.example.invalid/team/\n`);
    renameSync(bench.remote, join(bench.dir, "repo.git"));
    const done = await bench.run(push);
    expect(done.code, done.stderr).toBe(0);
    expect(bench.session().result).toMatchObject({ pushed: true });
    expect(existsSync(ran)).toBe(false);
  });

  it("commits with the name that git has for the user there, and as oracle where it has none", async () => {
    userConfig("");
    const { GIT_AUTHOR_NAME: _name, GIT_AUTHOR_EMAIL: _email, ...unnamed } = bench.env;
    const authorOf = async () => (await userGitReader(unnamed)(bench.repo)).author;
    expect(await authorOf()).toEqual({ name: "oracle", email: "oracle@localhost" });
    userConfig("[user]\n\tname = Ann\n\temail = ann@example.com\n");
    expect(await authorOf()).toEqual({ name: "Ann", email: "ann@example.com" });
    bench.git("config", "user.email", "ann@work.example");
    expect(await authorOf()).toEqual({ name: "Ann", email: "ann@work.example" });
  });

  it("has the logins of the user and of the machine, and none of the repository", async () => {
    userConfig(
      '[credential "https://github.com"]\n\thelper =\n\thelper = !gh auth git-credential\n[user]\n\tname = X\n[http]\n\tsslCAInfo = /own/ca.pem\n',
    );
    bench.git("config", "credential.helper", "!touch stolen");
    const { network } = await userGitReader({ ...bench.env, GIT_SSL_CAINFO: "/own/ca.pem" })(bench.repo);
    expect(network.config.slice(-3)).toEqual([
      ["credential.https://github.com.helper", ""],
      ["credential.https://github.com.helper", "!gh auth git-credential"],
      ["http.sslcainfo", "/own/ca.pem"],
    ]);
    expect(network.config.map(([, value]) => value)).not.toContain("!touch stolen");
    expect(network.env["GIT_SSL_CAINFO"]).toBe("/own/ca.pem");
  });
});

describe("secrets", () => {
  const record = () => readFileSync(bench.file(bench.sessionIds[0] ?? "", "session.json"), "utf8");

  it("[T-24] in a file's name keep the file out", async () => {
    bench.write(`${token}.txt`, "plain\n");
    const ran = await bench.run(["-p", "look at it", "-f", "."]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.stringify(bench.sent)).not.toContain(token);
  });

  it("[T-23] in a commit message end the run before it begins, and in a slug they are not stored", async () => {
    const commit = ["--apply-mode", "commit", "--commit-message", `Use ${token}`];
    const refused = await bench.run(["-p", "change it", ...commit]);
    expect(refused.code).toBe(1);
    expect(bench.sessionIds).toEqual([]);
    expect(bench.sent).toEqual([]);
    await bench.run(["-p", "look at it", "--slug", `use ${token} now`]);
    expect(record()).not.toContain(token);
    expect(bench.sessionIds.join(" ")).not.toContain(token.slice(4).toLowerCase());
  });

  it("that a diff brings are reported, also when git does nothing with it", async () => {
    bench.double([{ answer: fence(diff.replace("+two", `+const key = "${token}";`)) }]);
    await bench.run(["-p", "change it", "--apply-mode", "none"]);
    expect(bench.session().result).toMatchObject({
      status: "success",
      warnings: [expect.stringContaining("secret_in_patch: The added lines of a.txt") as string],
    });
  });

  it("are also those that the user's own rules of thehood name", async () => {
    const home = join(bench.dir, "hood");
    mkdirSync(home);
    const rules = [{ label: "project_word", pattern: "zanzibar-[0-9]{4}" }];
    writeFileSync(join(home, "config.json"), JSON.stringify({ secrets: { rules } }));
    bench.write("b.txt", "the word is zanzibar-1234\n");
    const env = { THEHOOD_HOME: home };
    const ran = await bench.run(["-p", "say zanzibar-5678", "-f", ".", "--sanitize-prompt"], { env });
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.stringify(bench.sent)).not.toMatch(/zanzibar-\d/);
    expect(bench.session().result.secretScan.matches).toEqual(["project_word"]);
  });
});

describe("words for people", () => {
  it("a base URL with a password in it is refused without printing it", async () => {
    const ran = await bench.run(["-p", "x", "--engine", "api", "--base-url", "https://me:hunter2@api.example.com/v1"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).not.toContain("hunter2");
  });

  it("bundle.json lists the files that went along", async () => {
    await bench.run(["-p", "look at it", "-f", "a.txt"]);
    const bundle = JSON.parse(readFileSync(bench.file(bench.sessionIds[0] ?? "", "bundle.json"), "utf8")) as object;
    expect(bundle).toMatchObject({ fileCount: 1, files: [{ path: "a.txt", bytes: 4 }] });
  });

  it("oracle apply says that it only checked", async () => {
    writeFileSync(join(bench.dir, "answer.md"), fence(diff));
    const ran = await bench.run(["apply", "../answer.md"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("checked only");
    expect(bench.read("a.txt")).toBe("one\n");
  });
});
