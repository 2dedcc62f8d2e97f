import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, disguised, fix, git, person, project, put, sample, start } from "./harness.ts";

afterEach(cleanUp);

const autopilot = { approvals: "autopilot" } as const;
const cloud = disguised("cloud", { boundary: "external", edits: "patch" });
const web = disguised("chatgpt-web", { boundary: "external", edits: "patch" });
const wants = (...requestedPaths: string[]) => ({
  payload: {
    action: "delegate",
    reason: "show me",
    delegateTo: null,
    requiresMoreEvidence: true,
    requestedPaths,
    acceptanceCriteria: null,
    markdown: null,
  },
});

const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

describe("what leaves the machine", () => {
  it("[R-65] nothing is sent before the manifest of exactly those bytes is approved", async () => {
    const run = await start({ mode: "plan", roles: { planner: "cloud:m" }, providers: [cloud] });
    await run.drive("provider_invocation");
    expect(run.gate.kind, run.story()).toBe("repo_context_external_transfer");
    expect(run.gate.phrase).toBe("send repo context to cloud");
    expect(run.events("provider_wait_posted")).toEqual([]);
    const [{ manifest } = { manifest: undefined }] = run.events("external_transfer_manifest_written");
    const [directive] = run.events("agent_directive_created");
    expect(`sha256:${manifest?.contentSha256}`).toBe(directive?.record.directive.ref);
    await expect(run.answer("approve", "go on")).rejects.toThrow(/send repo context to cloud/);
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.events("provider_wait_posted")[0]?.record.promptSha256).toBe(manifest?.contentSha256);
  });

  it("[R-60] a model-backed provider is asked for by its phrase before it is called", async () => {
    const local = disguised("local-model", {});
    const run = await start({ mode: "plan", roles: { planner: "local-model:m" }, providers: [local] });
    await run.go();
    expect(run.gate, run.story()).toMatchObject({
      kind: "provider_invocation",
      phrase: "invoke local-model",
    });
    expect(run.events("provider_wait_posted")).toEqual([]);
  });

  it("[R-62] [R-63] autopilot passes a clean transfer, on record with its manifest, and never one with a secret", async () => {
    const script = { roles: { planner: [wants("settings.txt")] } };
    const clean = await (
      await start({
        mode: "plan",
        policy: autopilot,
        roles: { planner: "cloud:m" },
        providers: [cloud],
        script,
        files: { "settings.txt": "a = 1\n" },
      })
    ).drive();
    expect(clean.state, clean.story()).toBe("completed");
    const passed = clean
      .events("approval_auto_approved")
      .find(({ gate }) => gate.kind === "repo_context_external_transfer");
    expect(passed?.manifest?.kind).toBe("transfer_manifest");
    const risky = await (
      await start({
        mode: "plan",
        policy: autopilot,
        roles: { planner: "cloud:m" },
        providers: [cloud],
        script,
        files: { "settings.txt": `key = ${secret}\n` },
      })
    ).drive();
    expect(risky.gate.kind, risky.story()).toBe("repo_context_external_transfer");
    expect(risky.events("external_transfer_manifest_written").at(-1)?.manifest.risk).toBe("secret_risk");
    for (const { record } of risky.events("agent_directive_created"))
      expect(risky.text(record.directive)).not.toContain(secret);
  });

  it("[R-65] [B-27] a reviewer elsewhere gets the diff only after a person saw its manifest", async () => {
    const run = await (
      await start({
        roles: { verifier: "cloud:m" },
        providers: [cloud],
        script: { roles: { implementer: [{ edits: [fix] }] } },
      })
    ).drive("provider_invocation", "implementation_start");
    expect(run.gate, run.story()).toMatchObject({
      kind: "run_evidence_external_transfer",
      phrase: "send run evidence to cloud",
      role: "verifier",
    });
    const [written] = run.events("external_transfer_manifest_written");
    const manifest = run.json(written?.manifest.manifest);
    expect(JSON.stringify(manifest)).toContain('"diff"');
    expect(run.gate.subject.refs[0]).toEqual(written?.manifest.manifest);
    const sent = () => run.events("provider_wait_posted").filter(({ record }) => record.target === "cloud:m");
    expect(sent()).toHaveLength(0);
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(sent()).toMatchObject([{ record: { promptSha256: written?.manifest.contentSha256 } }]);
  });

  it("[B-27] a secret in the goal is in no message and in no preview, and is named at the gate", async () => {
    const run = await start({
      mode: "plan",
      goal: `use ${secret} for it`,
      roles: { planner: "cloud:m" },
      providers: [cloud],
    });
    await run.drive("provider_invocation");
    const [{ manifest } = { manifest: undefined }] = run.events("external_transfer_manifest_written");
    expect(manifest?.risk).toBe("secret_risk");
    expect(run.gate.subject.text).toContain("github");
    const [{ record } = { record: undefined }] = run.events("agent_directive_created");
    const message = run.text(record?.directive);
    expect(message).not.toContain(secret);
    const { preview } = run.json(manifest?.manifest) as { preview: { content: string } };
    expect(preview.content.length).toBeGreaterThan(1_000);
    expect(message.startsWith(preview.content)).toBe(true);
  });
});

describe("what an endpoint elsewhere may read", () => {
  const reader = disguised("reader", {
    boundary: "external",
    edits: "patch",
    reads: { calls: 5, bytes: 150_000 },
  });
  const options = { mode: "plan", roles: { planner: "reader:m" }, providers: [reader] } as const;

  it("[R-65] is in its manifest and at its gate, and counts as if it were sent", async () => {
    const run = await start(options);
    await run.drive("provider_invocation");
    expect(run.gate.kind, run.story()).toBe("repo_context_external_transfer");
    expect(run.gate.subject.text).toContain("up to 150000 bytes of this checkout's files, in 5 looks");
    const [written] = run.events("external_transfer_manifest_written");
    expect(written?.manifest).toMatchObject({ mayRead: { calls: 5, bytes: 150_000 }, risk: "repo_context" });
    expect(run.json(written?.manifest.manifest)).toMatchObject({
      destination: { identity: "reader:m" },
      mayRead: { what: expect.stringContaining("no file in which something looks like a secret") },
    });
    const limit = (written?.manifest.totalBytes ?? 0) + 100_000;
    const tight = { approvals: "autopilot", externalTransfers: { maxAutoApproveBytes: limit } } as const;
    const held = await (await start({ ...options, policy: tight })).drive();
    expect(held.gate.kind, held.story()).toBe("repo_context_external_transfer");
  });
});

describe("what a reader is shown of the repository", () => {
  it("[R-72] a pack for what was asked, a follow-up only for what is new, and a gate for asking in circles", async () => {
    const big = `${"line of a long file\n".repeat(1_200)}the end\n`;
    const run = await start({
      mode: "plan",
      files: { ...sample, "lib/big.txt": big, "lib/other.txt": "other\n" },
      script: {
        roles: {
          planner: [wants("lib/big.txt"), wants("lib/big.txt", "lib/other.txt"), wants("lib/other.txt")],
        },
      },
    });
    await run.drive();
    const packs = run.events("repo_context_captured").map(({ context }) => context);
    expect(packs.map(({ files }) => files)).toEqual([
      [{ path: "lib/big.txt", truncated: true }],
      [
        { path: "lib/big.txt", truncated: false },
        { path: "lib/other.txt", truncated: false },
      ],
    ]);
    const second = run.json(packs[1]?.context) as { files: { excerpt: string }[] };
    expect(second.files[0]?.excerpt).toBe(big);
    expect(run.gate.kind, run.story()).toBe("repeated_repo_context_delegate");
  });

  it("[R-72] without a named path it chooses by the goal, for any layout", async () => {
    const files = {
      "Source/Audio/Mixer.cpp": "int mix;\n",
      "Source/Net/Socket.cpp": "int s;\n",
      "Docs/Readme.txt": "r\n",
    };
    const run = await start({
      mode: "plan",
      goal: "make the audio mixer louder",
      files,
      script: { roles: { planner: [wants()] } },
    });
    await run.drive();
    const [context] = run.events("repo_context_captured");
    expect(context?.context.files[0]?.path).toBe("Source/Audio/Mixer.cpp");
    expect(run.state, run.story()).toBe("completed");
  });

  it("[R-73] a clean, pushed GitHub checkout with a confirmed connector is pointed at by reference, without its token", async () => {
    const dir = pushed();
    const run = await (
      await start({
        dir,
        mode: "plan",
        policy: { ...autopilot, githubConnectorConfirmed: true },
        roles: { planner: "chatgpt-web:m" },
        providers: [web],
      })
    ).drive();
    const [selected] = run.events("remote_repo_context_selected");
    expect(selected?.remote, run.story()).toMatchObject({
      owner: "octo",
      repo: "sample",
      branch: "main",
      commit: git(dir, "rev-parse", "HEAD"),
    });
    expect(run.text(selected?.remote?.context)).not.toContain("hunter2");
    expect(run.state).toBe("completed");
  });

  it.each([
    ["dirty_checkout", (dir: string) => put(dir, "README.md", "dirty\n"), true],
    ["head_not_pushed_to_upstream", (dir: string) => git(dir, "commit", "-q", "--allow-empty", "-m", "local"), true],
    ["head_not_pushed_to_upstream", behind, true],
    ["chatgpt_web_github_connector_unconfirmed", () => undefined, false],
    ["no_github_remote", (dir: string) => git(dir, "remote", "set-url", "origin", "https://gitlab.com/o/r.git"), true],
  ])("[R-73] otherwise local capture, with the reason: %s", async (reason, spoil, githubConnectorConfirmed) => {
    const dir = pushed();
    spoil(dir);
    const run = await (
      await start({
        dir,
        mode: "plan",
        policy: { ...autopilot, githubConnectorConfirmed },
        roles: { planner: "chatgpt-web:m" },
        providers: [web],
      })
    ).drive();
    expect(run.events("remote_repo_context_selected")[0]).toMatchObject({ remote: null, reason });
  });
});

/** The upstream has a commit that the checkout does not have. */
function behind(dir: string): void {
  git(dir, "commit", "-q", "--allow-empty", "-m", "theirs");
  git(dir, "update-ref", "refs/remotes/origin/main", "HEAD");
  git(dir, "reset", "-q", "--hard", "HEAD~1");
}

/** A checkout whose HEAD is what its upstream has, as far as git knows. */
function pushed(): string {
  const dir = project();
  git(dir, "remote", "add", "origin", "https://user:hunter2@github.com/octo/sample.git");
  git(dir, "update-ref", "refs/remotes/origin/main", "HEAD");
  git(dir, "config", "branch.main.remote", "origin");
  git(dir, "config", "branch.main.merge", "refs/heads/main");
  return dir;
}

describe("beside the loop", () => {
  const ask = (role: "critic" | "qa" | "verifier", brief: string) => ({
    role,
    kind: "review" as const,
    brief,
    persona: null,
    constraints: [],
    evidenceRefs: [],
    agent: null,
  });

  it("[R-50] [R-51] a fan-out runs its summons, leaves a group artifact and moves nothing", async () => {
    const run = await (
      await start({ script: { summons: { qa: [{ behave: "crash" }] } } })
    ).until("implementation_start");
    const before = run.gate.id;
    await run.submit({
      type: "fanout",
      items: [ask("critic", "first"), ask("qa", "second"), ask("verifier", "third")],
      by: person,
    });
    await run.go();
    expect(run.gate.id).toBe(before);
    const [done] = run.events("agent_fanout_completed");
    const group = run.json(done?.artifact) as { items: { status: string }[]; safety: object };
    expect(group.items.map(({ status }) => status)).toEqual(["completed", "failed", "completed"]);
    expect(group.safety).toMatchObject({ canSatisfyRequiredGates: false });
  });

  it("[R-76] reconciliation sends the progress packet of a completed run and stores the validated answer", async () => {
    const run = await (
      await start({
        policy: autopilot,
        script: {
          roles: { implementer: [{ edits: [fix] }] },
          reconcile: [
            {
              payload: {
                status: "partial",
                openCriteria: ["docs"],
                nextRecommendedSlice: { objective: "write docs" },
              },
            },
          ],
        },
      })
    ).drive();
    expect(run.state).toBe("completed");
    await run.submit({ type: "reconcile", role: null, by: person });
    await run.go();
    const [done] = run.events("reconciliation_completed");
    expect(done, run.story()).toMatchObject({ status: "partial" });
    expect(run.json(done?.artifact)).toMatchObject({
      data: { reconciliation: { nextRecommendedSlice: { objective: "write docs" } } },
    });
    expect(run.state).toBe("completed");
  });

  it("[R-70] evidence can be captured on request", async () => {
    const run = await (await start({})).until("implementation_start");
    put(run.dir, "extra.txt", "x\n");
    await run.submit({ type: "capture_evidence", by: person });
    await run.go();
    const asked = run.events("git_evidence_captured").find(({ moment }) => moment === "asked");
    expect(asked?.evidence).toMatchObject({ ok: true, changedPaths: ["extra.txt"] });
  });

  it("[R-30] with direct edits allowed the worker edits the checkout, and is judged all the same", async () => {
    const run = await (
      await start({
        policy: { ...autopilot, directEdit: true },
        script: { roles: { implementer: [{ edits: [fix] }] } },
      })
    ).drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
    expect(run.events("isolated_patch_captured")[0]?.patch).toMatchObject({
      workspace: "direct",
      changedPaths: ["src/add.js"],
    });
    expect(run.events("check_executed").at(-1)?.check).toMatchObject({ result: "passed" });
  });

  it("[R-30] direct edits are refused in a checkout that has changes of its own", async () => {
    const dir = project();
    put(dir, "README.md", "mine\n");
    const run = await (
      await start({
        dir,
        policy: { ...autopilot, directEdit: true },
        script: { roles: { implementer: [{ edits: [fix] }] } },
      })
    ).drive();
    expect(run.state, run.story()).not.toBe("completed");
    expect(run.events("agent_response").at(-1)?.outcome).toMatchObject({ result: "not_sent" });
    expect(run.file("README.md")).toBe("mine\n");
    expect(run.file("src/add.js")).toContain("a - b");
  });
});
