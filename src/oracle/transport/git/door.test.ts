// The steps of a plan on a real repository with a real remote, while the user works beside it.
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitIn, makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { openGitDoor } from "./door.ts";

const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
const { signal } = new AbortController();

const door = openGitDoor({
  user: () =>
    Promise.resolve({
      version: "2",
      author: { name: "Ann", email: "ann@example.com" },
      network: { env: {}, config: [] },
    }),
  runner: () => createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } }),
  countSecrets: () => 0,
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
  const request = {
    cwd: repo.dir,
    diff: { restrictPrefix: null },
    git: {
      root: null,
      applyMode: "commit",
      push: true,
      branch: null,
      commitMessage: "ours",
      approvedPaths: [],
    },
  } as unknown as RunRequest;
  const plan = await door.preflight(request, []);
  if (plan === null) throw new Error("no plan");
  expect(await plan.apply(Buffer.from(patch), signal)).toMatchObject({ ok: true });
  const { sha } = await plan.commit(signal);
  repo.write("private.txt", "not yet\n");
  repo.commit("private");
  expect(await plan.push(signal)).toMatchObject({ ok: true });
  expect(gitIn(remote)("rev-parse", branch).trim()).toBe(sha);
});
