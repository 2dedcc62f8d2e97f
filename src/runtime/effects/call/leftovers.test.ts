// What a call leaves behind when it ends, and what it names.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRegistry, createStub, offer } from "../../../agents/index.ts";
import { contractOfRole, type EffectContext, makeAck, type EffectOf } from "../../../core/contract/index.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { watchGitFolder } from "../../../workspace/checkout/git-folder-watch/index.ts";
import { context, memory, sceneDeps } from "../../../../tests/support/effect-scene.ts";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { callProvider, reattachCall } from "./call.ts";

const runId = "run_000001";

async function scene(role: "qa" | "implementer", sideId: string | null) {
  const { dir: root, git, remove } = makeRepository({ "a.txt": "one\n" });
  onTestFinished(remove);
  const repository = requireRepository(root);
  const { artifacts } = memory();
  const deps = sceneDeps({ artifacts, providers: createRegistry([offer(createStub())]), root, repository });
  const about = { kind: "directive", mediaType: "application/json", summary: "d" } as const;
  const directive = await deps.artifacts.put(JSON.stringify({ role }), about);
  const effect = {
    kind: "call_provider",
    readsTree: role === "qa" ? git("rev-parse", "HEAD^{tree}").trim() : null,
    limits: { tokens: null, usd: null },
    key: "call:1",
    call: {
      callId: "call_000001",
      role,
      purpose: "loop",
      ordinal: 1,
      assignment: {
        provider: "stub",
        model: "default",
        assignment: "stub:default",
        identity: "stub:default",
        boundary: "local",
        options: {},
      },
      contract: contractOfRole[role],
      workspace: role === "qa" ? "read_only" : "worktree",
      sideId,
    },
    record: { redactions: 0, directive, ack: makeAck(runId, "nonce0001") },
    timeoutMs: 10_000,
    baseCommit: git("rev-parse", "HEAD").trim(),
  } as unknown as EffectOf<"call_provider">;
  return { root, git, repository, deps, effect };
}

const worktrees = (git: (...args: string[]) => string): number => git("worktree", "list").trim().split("\n").length - 1;

it("a side task leaves no folder, whether the run is over or not", async () => {
  const { deps, effect, git, root } = await scene("qa", "side_000001");
  const done = await callProvider(deps, effect, context());
  expect(done).toMatchObject({ outcome: { result: "answered" } });
  expect(worktrees(git)).toBe(0);
  expect(existsSync(join(root, ".thehood-work", runId))).toBe(false);
  expect(readdirSync(join(root, ".git/thehood/worktrees"))).toEqual([]);
});

it("a reviewer of the loop keeps its folder for the next one", async () => {
  const { deps, effect, git } = await scene("qa", null);
  await callProvider(deps, effect, context());
  expect(worktrees(git)).toBe(1);
});

it("[B-18] a hook that was added while no process was there is put back and named, with the place of its copy", async () => {
  const { deps, effect, root, repository } = await scene("implementer", null);
  watchGitFolder(repository, runId);
  writeFileSync(join(root, ".git/hooks/pre-push"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
  const lines: string[] = [];
  const watching: EffectContext = { ...context(), progress: (line) => void lines.push(line) };
  const posted = { handle: null, promptSha256: "", target: "stub:default" };
  const again = { ...effect, kind: "reattach_call" as const, posted };
  const done = await reattachCall(deps, again, watching);
  const why = expect.stringContaining("hooks/pre-push") as string;
  expect(done).toMatchObject({ outcome: { result: "in_doubt", why } });
  expect(lines.join("\n")).toContain("hooks/pre-push");
  const aside = /copy them from (\S+)/.exec(lines.join("\n"))?.[1] ?? "";
  expect(readFileSync(join(aside, "hooks/pre-push"), "utf8")).toContain("echo mine");
});
