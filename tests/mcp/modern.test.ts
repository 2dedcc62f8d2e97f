// The newer protocol revision, which has no handshake, by the official client over both transports.
import { spawn } from "node:child_process";
import process from "node:process";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { bin } from "../cli/program.ts";
import { call, connect, openBench, rawClient, stubCrew, type Bench, type Status } from "./client.ts";

async function overHttp(bench: Bench): Promise<Client> {
  const child = spawn(process.execPath, [bin, "mcp", "--http", "--tools", "all"], {
    cwd: bench.repo.dir,
    env: bench.env,
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
    said += chunk.toString("utf8");
    if (said.includes("token ")) break;
  }
  const client = new Client(
    { name: "modern", version: "1" },
    { capabilities: {}, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const headers = { Authorization: `Bearer ${/token (\S+)/.exec(said)?.[1] ?? ""}` };
  const url = new URL(/listening on (\S+)/.exec(said)?.[1] ?? "");
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

describe.each([
  ["the standard streams", (bench: Bench) => connect(bench, { modern: true })],
  ["HTTP", overHttp],
])("protocol 2026-07-28 over %s", (_, open) => {
  it("lists, calls, reads, prompts and completes", async () => {
    const bench = openBench();
    const client = await open(bench);
    expect((await client.listTools()).tools).toHaveLength(25);
    const done = await call<Status>(client, "plan", { goal: "Plan it", wait_seconds: 60 });
    expect(done.data).toMatchObject({ state: "completed" });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`thehood://runs/${done.data.runId}`);
    await client.readResource({ uri: `thehood://runs/${done.data.runId}` });
    await expect(client.readResource({ uri: "thehood://nothing" })).rejects.toThrow("no such resource");
    expect((await client.listPrompts()).prompts).toHaveLength(5);
    await client.getPrompt({ name: "check_gate", arguments: {} });
    await client.complete({
      ref: { type: "ref/prompt", name: "review" },
      argument: { name: "run_id", value: "run_" },
    });
    expect((await call(client, "status", { run_id: 7 })).isError).toBe(true);
    const created = bench
      .thehood(["logs", done.data.runId, "--json"])
      .json<{ events: { event: { createdBy?: object } }[] }>();
    expect(created.events[0]?.event.createdBy).toMatchObject({ kind: "host", surface: "mcp" });
  });

  it("[R-81] a gate is a person's to pass, with a command", async () => {
    const bench = openBench();
    bench.configure({ roles: stubCrew, policy: { hostMayApprove: true } });
    const client = await open(bench);
    const { data } = await call<Status>(client, "orchestrate", { goal: "Make add() add", wait_seconds: 60 });
    const refused = await call<{ error: { code: string; remedy: string } }>(client, "approve", {
      run_id: data.runId,
      gate_id: data.gate?.id,
      sha256: data.gate?.sha256,
    });
    expect(refused.data.error).toMatchObject({ code: "approval_required" });
    expect(refused.data.error.remedy).toContain("thehood approve");
  });
});

describe("protocol revisions that are claimed wrongly", () => {
  it.each([
    ["an unknown revision", { "io.modelcontextprotocol/protocolVersion": "2099-01-01" }, -32_022],
    ["no capabilities", { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, -32_602],
    ["a revision that is no text", { "io.modelcontextprotocol/protocolVersion": 7 }, -32_022],
  ])("%s is refused", async (_, meta, code) => {
    const raw = rawClient(openBench());
    raw.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } });
    expect((await raw.next(({ id }) => id === 1)).error?.code).toBe(code);
  });
});
