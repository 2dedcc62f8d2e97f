// The steps of a plan on a real repository with a real remote, while the user works beside it.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gitIn, makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { useUserVariables } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { openGitDoor } from "./door.ts";

const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
const { signal } = new AbortController();

const door = openGitDoor({
  user: () =>
    Promise.resolve({
      version: "2",
      hooks: null,
      author: { name: "Ann", email: "ann@example.com" },
      network: { env: {}, config: [] },
    }),
  runner: () => createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } }),
  countSecrets: () => 0,
});

const requestFor = (cwd: string, push: boolean) =>
  ({
    cwd,
    diff: { restrictPrefix: null },
    git: { root: null, applyMode: "commit", push, branch: null, commitMessage: "ours", approvedPaths: [] },
  }) as unknown as RunRequest;

it("[T-20] a clean checkout that core.autocrlf of the user wrote takes the diff; the commit holds no carriage return", async () => {
  const repo = makeRepository({ "a.txt": "one\n" });
  repo.commit("first");
  const global = join(tempFolder("door-"), "gitconfig");
  writeFileSync(global, "[core]\n\tautocrlf = true\n");
  const env = { ...process.env, GIT_CONFIG_GLOBAL: global };
  useUserVariables(env);
  onTestFinished(() => useUserVariables({}));
  rmSync(join(repo.dir, "a.txt"));
  execFileSync("git", ["checkout", "-q", "--", "a.txt"], { cwd: repo.dir, env });
  expect(readFileSync(join(repo.dir, "a.txt"), "utf8")).toBe("one\r\n");
  const plan = await door.preflight(requestFor(repo.dir, false), []);
  if (plan === null) throw new Error("no plan");
  expect(await plan.check(Buffer.from(patch), signal)).toMatchObject({ ok: true });
  expect(await plan.apply(Buffer.from(patch), signal)).toMatchObject({ ok: true });
  expect(readFileSync(join(repo.dir, "a.txt"), "utf8")).toBe("two\r\n");
  expect(await plan.commit(signal)).toMatchObject({ ok: true });
  expect(repo.git("show", "HEAD:a.txt")).toBe("two\n");
});

it("[T-22] a push brings the commit of the run, and none that the user made since", async () => {
  const repo = makeRepository({ "a.txt": "one\n" });
  repo.commit("first");
  const remote = join(tempFolder("door-"), "remote.git");
  repo.git("clone", "-q", "--bare", repo.dir, remote);
  repo.git("remote", "add", "origin", remote);
  repo.git("fetch", "-q", "origin");
  const branch = repo.git("branch", "--show-current").trim();
  repo.git("branch", "-q", "-u", `origin/${branch}`);
  const plan = await door.preflight(requestFor(repo.dir, true), []);
  if (plan === null) throw new Error("no plan");
  expect(await plan.apply(Buffer.from(patch), signal)).toMatchObject({ ok: true });
  const { sha } = await plan.commit(signal);
  repo.write("private.txt", "not yet\n");
  repo.commit("private");
  expect(await plan.push(signal)).toMatchObject({ ok: true });
  expect(gitIn(remote)("rev-parse", branch).trim()).toBe(sha);
});
