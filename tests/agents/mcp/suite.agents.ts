// The official conformance suite and the MCP Inspector against our server.
import { execFile } from "node:child_process";
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

async function suite(url: string, baseline: string): Promise<Ran> {
  const folder = tempFolder("conformance-");
  const file = join(import.meta.dirname, baseline);
  return runProgram("conformance", ["server", "--url", url, "--expected-failures", file, "-o", folder]);
}

describe.skipIf(missing("conformance"))(titled("the official conformance suite", "conformance"), () => {
  it("[S-14] [R-81] passes for what thehood mcp --http serves, DNS rebinding included", async () => {
    await using server = await serveHttp(openBench());
    await using way = await withToken(server);
    const ran = await suite(way.url, "expected-failures.yml");
    expect(ran.out).toMatch(/dns-rebinding-protection: 2 passed, 0 failed/);
    expect(ran.out).toContain("Baseline check passed");
    expect(ran.code).toBe(0);
  });

  it("passes for our protocol layer with the tools, resources and prompts the suite asks for", async () => {
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
    const ran = await suite(way.url, "expected-failures-fixture.yml");
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
    return JSON.parse(ran.out) as never;
  };
  const callTool = async <T>(bench: Bench, name: string, args: Record<string, string>): Promise<T> => {
    const words = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    const { content } = await inspect(bench, [
      "--method",
      "tools/call",
      "--tool-name",
      `thehood_${name}`,
      ...words,
    ]);
    return JSON.parse(content[0]?.text ?? "null") as T;
  };

  it("[R-81] drives a run: start, poll, read", async () => {
    const bench = openBench();
    const { tools } = await inspect(bench, ["--method", "tools/list"]);
    expect(tools.length).toBe(23);
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
