// Codex and Claude Code as real MCP hosts: our own installer puts the server into their configuration, a scripted model
// on loopback makes them start a run, poll it and read what it left. Nothing else is faked.
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../../mcp/client.ts";
import { binDir, missing, titled } from "../installed.ts";
import { messages, responses, serveModel, type Action, type Part, type Wire } from "../models/index.ts";

interface Asked {
  readonly turn: number;
}

/** What a model would do that was told to use TheHood: start, poll until it stands, read the plan. */
function host(call: (name: string, input: Record<string, unknown>) => Action) {
  return (asked: Asked, body: unknown): Part => {
    const seen = JSON.stringify(body);
    const run = /run_[a-z0-9]{12,}/.exec(seen)?.[0] ?? "none";
    const plan = /plan\\+":\\+"(sha256:[0-9a-f]{64})/.exec(seen)?.[1] ?? "none";
    const steps = [
      call("thehood_plan", { goal: "Plan how to make add() add", wait_seconds: 60 }),
      call("thehood_status", { run_id: run }),
      call("thehood_read_artifact", { run_id: run, ref: plan }),
    ];
    // Each turn shows its own step; the ones before were played with what was known then.
    return { actions: steps.slice(0, asked.turn + 1), text: "The plan is made." };
  };
}

function runHost(
  bin: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      join(binDir, bin),
      args,
      { cwd, env, maxBuffer: 64 << 20, timeout: 240_000 },
      (error, stdout, stderr) => resolve({ code: error ? 1 : 0, out: `${stdout}\n${stderr}` }),
    );
    child.stdin?.end();
  });
}

const path = `${binDir}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;

/** What the model was shown of the results: each of our answers reached it once. */
function expectDriven(bench: Bench, bodies: readonly unknown[]): void {
  const { runs } = bench
    .thehood(["runs", "--json"])
    .json<{ runs: { runId: string; state: string; mode: string }[] }>();
  expect(runs).toMatchObject([{ mode: "plan", state: "completed" }]);
  const { runId } = runs[0] ?? { runId: "" };
  const created = bench
    .thehood(["logs", runId, "--json"])
    .json<{ events: { event: { createdBy?: object } }[] }>();
  expect(created.events[0]?.event.createdBy).toMatchObject({ kind: "host", surface: "mcp" });
  const last = JSON.stringify(bodies.at(-1));
  expect(last).toContain(runId);
  expect(last).toContain("planner");
  expect(last).not.toContain("internal_error");
}

async function withModel(
  wire: Wire,
  call: Parameters<typeof host>[0],
  work: (url: string) => Promise<void>,
): Promise<readonly unknown[]> {
  await using model = await serveModel(wire, () => ({}), { undirected: host(call) });
  await work(model.url);
  return model.seen.map(({ body }) => body);
}

describe.skipIf(missing("codex"))(titled("Codex as an MCP host", "codex"), () => {
  it("[R-81] drives a run through our server", async () => {
    const bench = openBench();
    const codexHome = join(bench.home, "codex");
    mkdirSync(codexHome, { recursive: true });
    const env = { ...bench.env, PATH: path, CODEX_HOME: codexHome, CODEX_API_KEY: "scripted-key" };
    expect(bench.thehood(["mcp", "config", "codex", "--install"], { env }).code).toBe(0);
    const bodies = await withModel(
      responses,
      (name, input) => ({ do: "tool", name, input, namespace: "mcp__thehood" }),
      async (url) => {
        const settings = [
          "model_provider=scripted",
          'model_providers.scripted.name="scripted"',
          `model_providers.scripted.base_url="${url}/v1"`,
          'model_providers.scripted.wire_api="responses"',
          'model_providers.scripted.env_key="CODEX_API_KEY"',
          "analytics.enabled=false",
          "check_for_update_on_startup=false",
          `mcp_servers.thehood.env={THEHOOD_HOME="${bench.env["THEHOOD_HOME"] ?? ""}"}`,
          'mcp_servers.thehood.default_tools_approval_mode="approve"',
        ].flatMap((setting) => ["-c", setting]);
        const args = [
          "exec",
          "--json",
          "--skip-git-repo-check",
          "--disable",
          "plugins",
          "--cd",
          bench.repo.dir,
          "-m",
          "gpt-5.5",
          ...settings,
          "Plan it with TheHood",
        ];
        const ran = await runHost("codex", args, bench.repo.dir, env);
        expect(ran.out).toContain("mcp_tool_call");
        expect(ran.code, ran.out).toBe(0);
      },
    );
    expectDriven(bench, bodies);
  });
});

describe.skipIf(missing("claude"))(titled("Claude Code as an MCP host", "claude"), () => {
  it("[R-81] drives a run through our server", async () => {
    const bench = openBench();
    const env = {
      ...bench.env,
      PATH: path,
      CLAUDE_CONFIG_DIR: join(bench.home, ".claude"),
      ANTHROPIC_API_KEY: "scripted-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    const { file } = bench
      .thehood(["mcp", "config", "claude", "--install", "--scope", "project", "--json"], { env })
      .json<{ file: string }>();
    const bodies = await withModel(
      messages,
      (name, input) => ({ do: "tool", name: `mcp__thehood__${name}`, input }),
      async (url) => {
        const args = [
          "-p",
          "Plan it with TheHood",
          "--output-format",
          "stream-json",
          "--verbose",
          "--mcp-config",
          file,
          "--strict-mcp-config",
          "--allowedTools",
          "mcp__thehood",
        ];
        const ran = await runHost("claude", args, bench.repo.dir, { ...env, ANTHROPIC_BASE_URL: url });
        expect(ran.code, ran.out).toBe(0);
        expect(ran.out).toContain("mcp__thehood__thehood_plan");
      },
    );
    expectDriven(bench, bodies);
  });
});
