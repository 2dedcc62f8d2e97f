// The official conformance suite and the MCP Inspector against our server.
import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../../support/temp-folder.ts";
import { listen } from "../../../src/surfaces/mcp/wire/http/index.ts";
import { bin } from "../../cli/program.ts";
import { openBench, type Bench, type Status } from "../../mcp/client.ts";
import { binDir, missing, titled } from "../installed.ts";
import { fixtureService } from "./fixture-service.ts";
import { serveHttp, withToken } from "./server.ts";

interface Ran {
  readonly code: number;
  readonly out: string;
}

function runProgram(
  name: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const env = {
    ...process.env,
    ...options.env,
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
  };
  return new Promise((resolve) => {
    execFile(join(binDir, name), args, { ...options, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, out: stdout + stderr }),
    );
  });
}

/** Each revision has its own list of scenarios that cannot pass. */
const revisions = [
  { revision: "2025-11-25", words: ["--spec-version", "2025-11-25"], list: "" },
  { revision: "2026-07-28", words: ["--requirements", "2026-07-28"], list: "-2026-07-28" },
] as const;

interface Judged extends Ran {
  /** What is wrong by the checks of a scenario. */
  wrongIn(scenario: string): string[];
}

async function suite(url: string, words: readonly string[], baseline: string): Promise<Judged> {
  const folder = tempFolder("conformance-");
  const file = join(import.meta.dirname, baseline);
  const asked = ["server", "--url", url, ...words, "--expected-failures", file, "-o", folder];
  const ran = await runProgram("conformance", asked);
  const wrongIn = (scenario: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(`server-${scenario}-`))
      .flatMap((name) => JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[])
      .filter(({ status }) => status === "FAILURE")
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ""}`);
  return { ...ran, wrongIn };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

describe.skipIf(missing("conformance"))(titled("the official conformance suite", "conformance"), () => {
  it.each(revisions)(
    "[S-14] [R-81] passes for what thehood mcp --http serves, DNS rebinding included: $revision",
    async ({ words, list }) => {
      await using server = await serveHttp(openBench());
      await using way = await withToken(server);
      const ran = await suite(way.url, words, `expected-failures${list}.yml`);
      expect(ran.out).toMatch(/dns-rebinding-protection: \d passed, 0 failed/);
      expect(ran.out).toContain("Baseline check passed");
      expect(ran.code).toBe(0);
      // Only tools of the suite's own that are not there.
      const wrong = ran.wrongIn("server-stateless");
      expect(wrong.filter((line) => !line.includes("Not testable: server does not list"))).toEqual([]);
    },
  );

  it.each(revisions)("passes for our protocol layer with what the suite asks for: $revision", async (row) => {
    const listening = await listen(fixtureService, {
      host: "127.0.0.1",
      port: 0,
      guard: { token: "fixture", names: [] },
    });
    onTestFinished(() => listening.close());
    await using way = await withToken({
      url: listening.url,
      token: "fixture",
      [Symbol.asyncDispose]: async () => undefined,
    });
    const ran = await suite(way.url, row.words, `expected-failures-fixture${row.list}.yml`);
    expect(ran.out).toContain("Baseline check passed");
    expect(ran.code).toBe(0);
  });
});

describe.skipIf(missing("mcp-inspector"))(titled("the MCP Inspector", "mcp-inspector"), () => {
  const inspect = async (
    bench: Bench,
    words: readonly string[],
  ): Promise<{ content: { text: string }[]; tools: { name: string }[] }> => {
    const own = ["-e", `THEHOOD_HOME=${bench.env["THEHOOD_HOME"] ?? ""}`];
    const args = ["--cli", ...own, process.execPath, bin, "mcp", "--repo", bench.repo.dir, ...words];
    const ran = await runProgram("mcp-inspector", args, { cwd: bench.repo.dir, env: bench.env });
    expect(ran.code, ran.out).toBe(0);
    // The result is one document; a remark of the Inspector about the schemas stands behind it.
    const [document = "", remarks] = ran.out.split(/^(?=Schema portability)/m);
    expect(remarks).toBeUndefined();
    return JSON.parse(document) as never;
  };
  const callTool = async <T>(bench: Bench, name: string, args: Record<string, string>): Promise<T> => {
    const words = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    const { content } = await inspect(bench, ["--method", "tools/call", "--tool-name", `thehood_${name}`, ...words]);
    return JSON.parse(content[0]?.text ?? "null") as T;
  };

  it("[R-81] drives a run: start, poll, read", async () => {
    const bench = openBench();
    const { tools } = await inspect(bench, ["--method", "tools/list"]);
    expect(tools.length).toBe(14);
    const started = await callTool<Status>(bench, "plan", { goal: "Make a plan", wait_seconds: "60" });
    // The server that started it is gone; the run is not.
    const status = await callTool<Status>(bench, "status", { run_id: started.runId });
    expect(status).toMatchObject({ mode: "plan" });
    const read = await callTool<{ content: string }>(bench, "read_artifact", {
      run_id: started.runId,
      ref: status.latest["plan"] ?? "",
    });
    expect(read.content).toContain("planner");
  });
});
