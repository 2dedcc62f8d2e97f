// The arguments that clients of the public preview give: taken where they mean the same, answered with the new name
// otherwise. No argument passes a gate.
import { describe, expect, it } from "vitest";
import { call, connect, openBench } from "./client.ts";

interface Run {
  readonly run_id?: string;
  readonly runId?: string;
  readonly state?: string;
  readonly working?: boolean;
}

const files = {
  "package.json": '{"scripts":{"test":"true"}}\n',
  "src/a.ts": "Needle here\n",
  "src/deep/b.ts": "needle there\n",
  "docs/c.md": "needle in words\n",
};

const idOf = (data: Run): string => data.run_id ?? data.runId ?? "";

describe("an argument of the public preview", () => {
  it("is taken by the tools that read, under its name here", async () => {
    const client = await connect(openBench(files));
    const tree = async (args: Record<string, unknown>) => (await call(client, "repo_tree", args)).data;
    expect(await tree({ max_depth: 1 })).toEqual(await tree({ depth: 1 }));
    const hits = async (args: object) => {
      const { data } = await call<{ hits: { path: string }[] }>(client, "repo_search", { query: "needle", ...args });
      return data.hits.map(({ path }) => path);
    };
    expect(await hits({})).toEqual(["docs/c.md", "src/deep/b.ts"]);
    expect(await hits({ case_sensitive: false })).toEqual(["docs/c.md", "src/a.ts", "src/deep/b.ts"]);
    expect(await hits({ case_sensitive: true, max_results: 1 })).toEqual(["docs/c.md"]);
    expect(await hits({ globs: ["src/**"] })).toEqual(["src/deep/b.ts"]);
    expect(await hits({ globs: ["*.md", "nothing/**"] })).toEqual(["docs/c.md"]);
    expect(await hits({ globs: [] })).toEqual(["docs/c.md", "src/deep/b.ts"]);
    const both = await call(client, "repo_tree", { depth: 1, max_depth: 3 });
    expect(both).toMatchObject({ isError: true, text: expect.stringContaining("depth") as string });
    const wrong = await call(client, "repo_search", { query: "x", globs: "src/**" });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("globs") as string });
  });

  it("creates a run and stops with auto_loop false, and starts it with auto_loop true", async () => {
    const client = await connect(openBench());
    const created = await call<Run>(client, "plan", { goal: "a plan", auto_loop: false });
    expect(created).toMatchObject({ isError: false });
    const still = await call<Run>(client, "status", { run_id: idOf(created.data) });
    expect(still.data).toMatchObject({ state: "planning", working: false });
    const started = await call<Run>(client, "plan", { goal: "a plan", auto_loop: true, wait_seconds: 60 });
    expect(started.data.state).not.toBe("planning");
    const odd = await call(client, "plan", { goal: "a plan", auto_loop: "yes" });
    expect(odd.isError).toBe(true);
  });

  it("limits the rounds of the process that advances the run", async () => {
    const client = await connect(openBench());
    const created = await call<Run>(client, "plan", { goal: "a plan", auto_loop: false });
    const runId = idOf(created.data);
    const looped = await call<Run>(client, "loop", { run_id: runId, max_cycles: 1 });
    expect(looped.isError).toBe(false);
    const steps = await call(client, "loop", { run_id: runId, max_steps_per_cycle: 3 });
    expect(steps).toMatchObject({ isError: true, text: expect.stringContaining("max_cycles") as string });
    const none = await call(client, "loop", { run_id: runId, max_cycles: 0 });
    expect(none).toMatchObject({ isError: true, text: expect.stringContaining("max_cycles") as string });
  });

  it("[R-60] passes no gate: approval and message are refused with the reason, and the gate stays open", async () => {
    const client = await connect(openBench());
    const started = await call<Run>(client, "orchestrate", { goal: "fix it", wait_seconds: 60 });
    const run_id = idOf(started.data);
    const before = await call<{ state: string; gate: object }>(client, "status", { run_id });
    expect(before.data.state).toBe("awaiting_approval");
    for (const args of [
      { approval: "approve" },
      { approval: "approve", message: "apply isolated patch" },
      { approval: "revise", message: "more" },
      { approval: "reject" },
      { message: "invoke stub" },
    ])
      for (const tool of ["continue", "reconcile"]) {
        const refused = await call(client, tool, { run_id, ...args });
        expect(refused.isError).toBe(true);
        expect(JSON.parse(refused.text)).toMatchObject({
          error: { code: "permission_denied", message: expect.stringContaining("a program passes no gate") as string },
        });
      }
    expect((await call(client, "continue", { run_id, approval: "none" })).isError).toBe(false);
    const after = await call<{ state: string; gate: object }>(client, "status", { run_id });
    expect(after.data).toMatchObject({ state: "awaiting_approval", gate: before.data.gate });
  });

  it("bounds a fan-out by max_items, and takes the old names of an item's parts", async () => {
    const client = await connect(openBench());
    const created = await call<Run>(client, "plan", { goal: "a plan", wait_seconds: 60 });
    const run_id = idOf(created.data);
    const item = { role: "qa", brief: "what is missed?", summon_kind: "qa", evidenceRefs: [] };
    const many = await call(client, "fanout", { run_id, items: [item, item], max_items: 1 });
    expect(many).toMatchObject({ isError: true, text: expect.stringContaining("max_items") as string });
    const fits = await call<{ sideTasks?: object[] }>(client, "fanout", {
      run_id,
      items: [item],
      max_items: 4,
      wait_seconds: 60,
    });
    expect(fits.isError).toBe(false);
  });

  it("is answered by the preflight: where data would go", async () => {
    const client = await connect(openBench());
    const pro = await client.callTool({
      name: "thehood_pro_access",
      arguments: { goal: "a strategy", constraints: ["local"] },
    });
    expect(pro.isError ?? false).toBe(false);
    expect(pro.structuredContent).toEqual((await call(client, "model_access", {})).data);
    const kind = await call(client, "model_access", { context_kind: "progress_packet", purpose: "a second opinion" });
    expect(kind.data).toMatchObject({ purpose: "progress_packet" });
    const none = await call(client, "model_access", { context_kind: "no_repo_context" });
    expect(none).toMatchObject({ isError: true, text: expect.stringContaining("purpose") as string });
    const agents = await call(client, "model_access", { agents: ["chatgpt-web:chatgpt-pro"] });
    expect(agents).toMatchObject({ isError: true, text: expect.stringContaining("role_mapping") as string });
  });
});
