// Every tool over real streams with the official client: what is offered, how a run is driven, how small answers are.
import { describe, expect, it } from "vitest";
import { fixing, stub } from "../cli/program.ts";
import { call, connect, openBench, reaches, settled, stubCrew, type Status } from "./client.ts";

const always = [
  "doctor",
  "roles",
  "assign_roles",
  "model_access",
  "plan",
  "orchestrate",
  "consult",
  "summon",
  "fanout",
  "continue",
  "loop",
  "transfer_preview",
  "reconcile",
  "status",
  "runs",
  "read_artifact",
  "capture_evidence",
  "agent_board",
  "recommend_loop",
  "repo_tree",
  "repo_search",
  "repo_read_file",
  "git_status",
  "git_diff",
  "abort",
].map((name) => `thehood_${name}`);

const bytesOf = (data: unknown): number => Buffer.byteLength(JSON.stringify(data) ?? "");

/** The bytes of each tool, the largest first, for the message of a budget that is exceeded. */
const bytesEach = (names: readonly string[], parts: readonly unknown[]): string =>
  names
    .map((name, at) => ({ name, bytes: bytesOf(parts[at]) }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `\n${String(bytes).padStart(6)} ${name}`)
    .join("");

describe("the tools of the MCP server", () => {
  it("at most 16 are offered without --tools all, and those that are not offered can be called", async () => {
    const client = await connect(openBench(), { main: true });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    // With thehood_approve and thehood_reject, where the user allows them, it is 16.
    expect(names).toHaveLength(14);
    for (const name of names) expect(always).toContain(name);
    for (const name of ["thehood_roles", "thehood_pro_access"]) {
      expect(names).not.toContain(name);
      expect(await client.callTool({ name, arguments: {} })).not.toHaveProperty("isError");
    }
  });

  it("[R-81] [S-8] are all offered with titles, schemas and true annotations, in less than 18 kB, and 8 kB for their answers", async () => {
    const client = await connect(openBench());
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names.toSorted(), "a new tool also stands in the list above and in clause R-81").toEqual(always.toSorted());
    const asked = tools.map((tool) => ({ ...tool, outputSchema: undefined }));
    expect(bytesOf(asked), bytesEach(names, asked)).toBeLessThan(18_000);
    const outputs = tools.map(({ outputSchema }) => outputSchema);
    expect(bytesOf(outputs), bytesEach(names, outputs)).toBeLessThan(8_000);
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe("object");
      expect(tool.inputSchema["additionalProperties"]).toBe(false);
      expect(Object.keys(tool.outputSchema?.properties ?? {}), tool.name).not.toEqual([]);
      expect(tool.title).toBeTruthy();
      expect(tool.annotations?.readOnlyHint).toBeTypeOf("boolean");
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints["thehood_status"]).toMatchObject({ readOnlyHint: true });
    expect(hints["thehood_abort"]).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.filter(({ name }) => /^thehood_(?:repo|git|read)_/.test(name))).toEqual([]);
    expect(client.getInstructions()).toContain("is disclosed to this host");
    const orchestrate = tools.find(({ name }) => name === "thehood_orchestrate")?.inputSchema.properties ?? {};
    expect(Object.keys(orchestrate)).toEqual(
      expect.arrayContaining(["goal", "mode", "role_mapping", "constraints", "max_iterations", "repo_path"]),
    );
    // What loosens a run is not a program's to say.
    for (const name of ["approvals", "checks", "no_checks", "waive", "stub_script"])
      expect(orchestrate).not.toHaveProperty(name);
  });

  it("[R-81] start a run that returns at once, goes on by itself, stops at a gate, and goes on when a person approved", async () => {
    const bench = openBench();
    bench.configure({ roles: stubCrew, policy: { integrate: "early" } });
    const client = await connect(bench);
    const started = await call<Status>(client, "orchestrate", { goal: "Make add() add" });
    expect(started.data).toMatchObject({ mode: "implement", working: true });
    expect(started.data.poll).toContain("thehood_status");
    const atGate = await settled(client, started.data.runId);
    expect(atGate).toMatchObject({ state: "awaiting_approval", gate: { kind: "implementation_start" } });
    expect(bench.thehood(["approve", atGate.runId]).code).toBe(3); // waits at the next gate
    const patch = await settled(client, atGate.runId);
    expect(patch.gate).toMatchObject({ kind: "isolated_patch_application", phrase: "apply isolated patch" });
    const log = bench
      .thehood(["logs", atGate.runId, "--json"])
      .json<{ events: { event: { type: string; createdBy?: object } }[] }>();
    expect(log.events[0]?.event.createdBy).toEqual({ kind: "host", surface: "mcp", name: "test-client" });
  });

  it("[R-50] a summon does not advance a run that was stopped", async () => {
    const bench = openBench();
    const { runId } = bench
      .thehood(["run", "fix add", "--team", "stub", "--no-loop", "--json", ...stub(fixing)])
      .json<{ runId: string }>();
    const client = await connect(bench);
    const asked = { run_id: runId, role: "critic", brief: "look", wait_seconds: 30 };
    const summoned = await call<{ results: { outcome: string }[] }>(client, "summon", asked);
    expect(summoned.data.results).toMatchObject([{ outcome: "completed" }]);
    const { data } = await call<Status>(client, "status", { run_id: runId });
    expect(data).toMatchObject({ state: "planning", counts: { responses: 0 } });
    await call(client, "continue", { run_id: runId, wait_seconds: 30 });
    expect((await settled(client, runId)).state).toBe("awaiting_approval");
  });

  it("[R-16] [R-81] loop moves a run to its gate, passes none of them however often it is asked, and nothing is previewed that is not sent", async () => {
    const bench = openBench();
    const { runId } = bench
      .thehood(["run", "fix add", "--team", "stub", "--no-loop", "--json", ...stub(fixing)])
      .json<{ runId: string }>();
    const client = await connect(bench);
    for (let tries = 0; tries < 2; tries += 1) {
      await call(client, "loop", { run_id: runId });
      expect(await reaches(client, runId, "awaiting_approval")).toMatchObject({
        state: "awaiting_approval",
        gate: { kind: "implementation_start" },
      });
    }
    expect((await call(client, "transfer_preview", { run_id: runId })).data).toMatchObject({
      runId,
      waits: false,
      manifest: null,
    });
  });

  it("[R-77] a run from start to report: continue, evidence, summon, fan-out, board, artifacts, reconcile, all small", async () => {
    const bench = openBench();
    const made = bench.thehood([
      "run",
      "Make add() add",
      "--no-loop",
      "--json",
      "--approvals",
      "autopilot",
      ...stub(fixing),
    ]);
    const { runId } = made.json<{ runId: string }>();
    const client = await connect(bench);
    const done = await call<Status>(client, "continue", { run_id: runId, wait_seconds: 120 });
    expect(done.data).toMatchObject({ state: "completed", working: false });
    expect(done.bytes).toBeLessThan(4_096);

    const summoned = await call<{ results: { outcome: string; artifact: string }[] }>(client, "summon", {
      run_id: runId,
      role: "critic",
      brief: "Is it right?",
      wait_seconds: 60,
    });
    expect(summoned.data.results).toMatchObject([{ outcome: "completed" }]);
    const page = await call<{ content: string; next_offset: number | null; total_bytes: number }>(
      client,
      "read_artifact",
      {
        run_id: runId,
        ref: summoned.data.results[0]?.artifact,
        max_bytes: 40,
      },
    );
    expect(page.data.content.length).toBeLessThanOrEqual(40);
    expect(page.data.next_offset).toBe(40);

    const fanned = await call<{ results: unknown[] }>(client, "fanout", {
      run_id: runId,
      items: [
        { role: "qa", brief: "Cases?" },
        { role: "critic", brief: "Risks?" },
      ],
      wait_seconds: 60,
    });
    expect(fanned.data.results.length).toBeGreaterThanOrEqual(2);
    const evidence = await call<{ results: { outcome: string }[] }>(client, "capture_evidence", {
      run_id: runId,
    });
    expect(evidence.data.results).toMatchObject([{ outcome: "completed" }]);
    const reconciled = await call<{ results: { outcome: string }[] }>(client, "reconcile", {
      run_id: runId,
      wait_seconds: 60,
    });
    expect(reconciled.data.results).toMatchObject([{ outcome: "completed" }]);
    const board = await call<{ cards: { role: string }[]; artifact: string }>(client, "agent_board", {
      run_id: runId,
      include_artifact: true,
    });
    expect(board.data.cards.map(({ role }) => role)).toContain("verifier");
    expect(board.data.artifact).toMatch(/^sha256:/);
    expect(board.bytes).toBeLessThan(6_144);

    const full = await call<{ sections: Record<string, number> }>(client, "status", {
      run_id: runId,
      detail: "full",
    });
    expect(full.data.sections["artifacts"]).toBeGreaterThan(10);
    const artifacts = await call<{ value: { entries: unknown[]; total: number } }>(client, "status", {
      run_id: runId,
      detail: "full",
      section: "artifacts",
    });
    expect(artifacts.data.value.total).toBe(full.data.sections["artifacts"]);
  });

  it('[R-77] detail "full" gives everything about a run on each tool that answers with its status', async () => {
    const client = await connect(openBench());
    const full = { detail: "full" } as const;
    interface Full extends Status {
      readonly full: { readonly runId: string; readonly crewLanes: { readonly id: string }[]; readonly goal: string };
      readonly sections: Record<string, number>;
    }
    const planned = await call<Full>(client, "plan", { goal: "Plan it", wait_seconds: 60, ...full });
    expect(planned.data.full).toMatchObject({ runId: planned.data.runId, goal: "Plan it" });
    expect(planned.data.full.crewLanes.map(({ id }) => id)).toContain("completion");
    expect(planned.data.sections["artifacts"]).toBeGreaterThan(0);
    const { runId } = planned.data;
    const summoned = await call<Full & { results: unknown[] }>(client, "summon", {
      run_id: runId,
      role: "critic",
      brief: "what is missing?",
      agent: "stub:other",
      wait_seconds: 60,
      ...full,
    });
    expect(summoned.data.results).toHaveLength(1);
    expect(summoned.data.full.runId).toBe(runId);
    // The short result stays the default, by name too.
    for (const args of [{}, { detail: "summary" }]) {
      const continued = await call<Partial<Full>>(client, "continue", { run_id: runId, ...args });
      expect(continued.data).not.toHaveProperty("full");
      expect(continued.bytes).toBeLessThan(4_000);
    }
    const wrong = await client.callTool({ name: "thehood_continue", arguments: { run_id: runId, detail: "all" } });
    expect(JSON.stringify(wrong)).toContain("must be summary or full");
    const { tools } = await client.listTools();
    const named = tools.filter(({ inputSchema }) => "detail" in (inputSchema.properties ?? {})).map(({ name }) => name);
    const listed = await call<{ total: number; runs: Status[] }>(client, "runs", full);
    expect(listed.data).toMatchObject({ total: 1, runs: [{ runId, goal: "Plan it", state: "completed" }] });
    const { counts } = (await call<{ counts: object }>(client, "status", { run_id: runId })).data;
    expect(listed.data.runs[0]).toMatchObject({ counts });
    expect((await call<{ runs: object[] }>(client, "runs")).data.runs[0]).not.toHaveProperty("counts");
    for (const name of [
      "runs",
      "orchestrate",
      "plan",
      "continue",
      "loop",
      "abort",
      "summon",
      "fanout",
      "reconcile",
      "consult",
    ])
      expect(named).toContain(`thehood_${name}`);
    const bystander = await client.callTool({ name: "thehood_git_status", arguments: full });
    expect(bystander.isError).toBe(true);
  });

  it("[R-81] consult and plan make runs that edit nothing", async () => {
    const client = await connect(openBench());
    const consulted = await call<Status>(client, "consult", {
      goal: "What is risky here?",
      role: "critic",
      wait_seconds: 60,
    });
    expect(consulted.data).toMatchObject({ mode: "review", state: "completed" });
    const planned = await call<Status>(client, "plan", { goal: "Plan it", wait_seconds: 60 });
    expect(planned.data).toMatchObject({ mode: "plan", state: "completed" });
    const list = await call<{ total: number; runs: { runId: string }[] }>(client, "runs");
    expect(list.data.runs.map(({ runId }) => runId)).toEqual([planned.data.runId, consulted.data.runId]);
  });

  it("[R-64] model_access, doctor, roles, assign_roles and recommend_loop call no model and stay under 6 kB", async () => {
    const client = await connect(openBench());
    const access = await call(client, "model_access", { purpose: "run_evidence" });
    const alias = await client.callTool({
      name: "thehood_pro_access",
      arguments: { purpose: "run_evidence" },
    });
    expect(alias.structuredContent).toEqual(access.data);
    expect(access.data).toMatchObject({ localOnly: true, purpose: "run_evidence" });
    const doctor = await call<{ checks: { name: string }[] }>(client, "doctor");
    expect(doctor.data.checks.map(({ name }) => name)).toContain("git");
    const swapped = await call<{ roles: { role: string; assignment: string }[] }>(client, "assign_roles", {
      role_mapping: { implementer: "stub:verifier", verifier: "stub:implementer" },
    });
    expect(swapped.data.roles.find(({ role }) => role === "verifier")?.assignment).toBe("stub:implementer");
    const same = await call(client, "assign_roles", {
      role_mapping: { implementer: "stub:x", verifier: "stub:x" },
    });
    expect(same).toMatchObject({ isError: true, data: { error: { code: "invalid_input" } } });
    const advised = await call(client, "recommend_loop", { goal: "Audit the login for security risk" });
    expect(advised.data).toMatchObject({
      recommended: { id: "adversarial-review" },
      runAction: { tool: "thehood_orchestrate" },
    });
    const roles = await call(client, "roles");
    for (const { bytes } of [access, doctor, swapped, roles, advised]) expect(bytes).toBeLessThan(6_144);
  });

  it("[R-64] model_access names each destination, what crosses, the words that approve it and the ways around it", async () => {
    const bench = openBench();
    bench.configure({ roles: { ...stubCrew, planner: "openai-api:gpt-5.5" } });
    const client = await connect(bench, { env: { OPENAI_API_KEY: "none" } });
    const { data } = await call<{ destinations: object[]; approval: string; fallbacks: string[] }>(
      client,
      "model_access",
      { purpose: "repo_context" },
    );
    expect(data).toMatchObject({ localOnly: true, dataLeaves: true, purpose: "repo_context" });
    expect(data.destinations).toContainEqual(
      expect.objectContaining({
        role: "planner",
        boundary: "external",
        phrase: "send repo context to openai-api",
        passesByPolicy: false,
      }),
    );
    expect(data.destinations).toContainEqual(
      expect.objectContaining({
        role: "verifier",
        boundary: "local",
        crosses: expect.stringContaining("nothing"),
      }),
    );
    expect(data.approval).toContain("send repo context to openai-api");
    expect(data.fallbacks.length).toBeGreaterThan(0);
  });

  it("abort ends a run for good and keeps its work", async () => {
    const client = await connect(openBench());
    const started = await call<Status>(client, "orchestrate", { goal: "Make add() add", wait_seconds: 60 });
    const aborted = await call<Status>(client, "abort", {
      run_id: started.data.runId,
      reason: "changed my mind",
    });
    expect(aborted.data).toMatchObject({ state: "aborted" });
    const again = await call(client, "abort", { run_id: started.data.runId });
    expect(again.isError).toBe(true);
  });
});
