// A client that breaks every rule: the server answers what can be answered, stays up, and loses no run.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { stub } from "../cli/program.ts";
import {
  call,
  connect,
  dataOf,
  hello,
  openBench,
  rawClient,
  reaches,
  settled,
  toolCall,
  type Status,
} from "./client.ts";
import { waitUntil } from "../support/wait-until.ts";

const hasProc = existsSync("/proc/self/cmdline");

/** Every process as its number and its words; one that ends meanwhile is none. */
const commandLines = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
      } catch (error) {
        if (error instanceof Error && "code" in error) return [];
        throw error;
      }
    });

async function ready(bench = openBench()) {
  const raw = rawClient(bench);
  raw.send(hello());
  await raw.next(({ id }) => id === "hello");
  return { bench, raw };
}

describe("bad input over MCP", () => {
  it.each([
    ["not JSON", "{nope\n", -32_700],
    ["no JSON-RPC", '{"id":1,"method":"ping"}\n', -32_600],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32_600],
    ["neither method nor result", '{"jsonrpc":"2.0","id":1}\n', -32_600],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}\n', -32_602],
    [
      "nesting without end",
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}\n`,
      -32_600,
    ],
    ["a line of 5 MB", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"y".repeat(5 << 20)}"}}\n`, -32_600],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}\n', -32_601],
    ["a method of objects", '{"jsonrpc":"2.0","id":1,"method":"__proto__"}\n', -32_601],
    ["an unknown tool", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\n', -32_602],
    ["a second handshake", `${JSON.stringify({ ...hello(), id: 1 })}\n`, -32_600],
    ["an unknown prompt", '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}}\n', -32_602],
    [
      "a resource that is not ours",
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}\n',
      -32_002,
    ],
  ])("%s is an error with a code, and the next call is answered", async (_, line, code) => {
    const { raw } = await ready();
    raw.send(line);
    const refused = await raw.next(({ error }) => error !== undefined);
    expect(refused.error?.code).toBe(code);
    raw.send({ jsonrpc: "2.0", id: "after", method: "ping" });
    expect((await raw.next(({ id }) => id === "after")).result).toEqual({});
    raw.child.stdin.end();
    expect(await raw.exited()).toBe(0);
  });

  it("a call before the handshake is refused, an unknown protocol is answered with one we know", async () => {
    const raw = rawClient(openBench());
    raw.send(toolCall(1, "runs"));
    expect((await raw.next(({ id }) => id === 1)).error?.message).toContain("initialize");
    raw.send({ ...hello(), params: { ...hello().params, protocolVersion: "1999-01-01" } });
    expect((await raw.next(({ id }) => id === "hello")).result).toMatchObject({
      protocolVersion: "2025-11-25",
    });
  });

  it.each([
    ["status", { run_id: "../../etc/passwd" }, "not a run id"],
    ["status", { run_id: 7 }, "run_id"],
    ["status", { runid: "x" }, '"runid"'],
    ["status", { detail: "everything" }, "detail"],
    ["runs", { limit: 100_000 }, "limit"],
    ["runs", { cursor: "run_000000nothing" }, "cursor"],
    ["orchestrate", {}, "goal"],
    ["orchestrate", { goal: "   " }, "goal"],
    ["orchestrate", { goal: "x".repeat(20_001) }, "goal"],
    ["orchestrate", { goal: "x", approvals: "autopilot" }, '"approvals"'],
    ["orchestrate", { goal: "x", role_mapping: { wizard: "stub:x" } }, "role_mapping"],
    ["orchestrate", { goal: "x", role_mapping: { qa: "nobody:x" } }, "nobody"],
    ["orchestrate", { goal: "x", constraints: Array.from({ length: 51 }, () => "y") }, "constraints"],
    ["summon", { run_id: "run_000000nothing", role: "implementer", brief: "x" }, "role"],
    ["fanout", { run_id: "run_000000nothing", items: [{ role: "qa" }] }, "items.0.brief"],
    ["read_artifact", { run_id: "run_000000nothing", ref: "abcd" }, "no run"],
    ["repo_read_file", { path: "x", repo_path: "/etc" }, "repo_path"],
    ["repo_read_file", { path: "x", repo_path: "src/add.js" }, "repo_path"],
    ["repo_search", { query: "(a+)+$(?=x)", regex: true }, "query"],
    ["git_diff", { base: "--output=/tmp/x" }, "base"],
  ])("%s: bad arguments are a failed result that names the field, case %#", async (tool, args, says) => {
    const client = await connect(openBench());
    const answer = await call<{ error: { code: string; message: string; remedy?: string } }>(client, tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.data.error.message).toContain(says);
    expect(answer.data.error.remedy).toBeTruthy();
  });

  it("arguments that are no object are refused as such", async () => {
    const { raw } = await ready();
    raw.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "thehood_runs", arguments: [1] },
    });
    expect((await raw.next(({ id }) => id === 1)).error?.message).toContain("arguments");
  });

  it("200 calls at once are all answered, each once", async () => {
    const { bench, raw } = await ready();
    bench.thehood(["run", "x", "--no-loop"]);
    for (let id = 0; id < 200; id += 1)
      raw.send(toolCall(id, ["status", "runs", "repo_tree", "git_status", "doctor"][id % 5] ?? "runs"));
    const seen = new Set<unknown>();
    for (let id = 0; id < 200; id += 1) {
      const answer = await raw.next((message) => typeof message.id === "number");
      expect(answer.result).toBeDefined();
      seen.add(answer.id);
    }
    expect(seen.size).toBe(200);
  });

  it("a client that closes its side mid-call gets its answer, the server ends, and the run goes on", async () => {
    const bench = openBench();
    const raw = rawClient(bench);
    raw.send(hello());
    raw.send(toolCall("start", "orchestrate", { goal: "Make add() add", wait_seconds: 300 }));
    raw.child.stdin.end();
    const { runId } = dataOf<Status>(await raw.next(({ id }) => id === "start"));
    expect(await raw.exited()).toBe(0);
    const client = await connect(bench);
    expect((await reaches(client, runId, "awaiting_approval")).gate).toMatchObject({
      kind: "implementation_start",
    });
  });

  it("a server that is killed loses no run: another one finds it and takes it up", async () => {
    const bench = openBench();
    const raw = rawClient(bench);
    raw.send(hello());
    raw.send(toolCall("start", "orchestrate", { goal: "Make add() add" }));
    const { runId } = dataOf<Status>(await raw.next(({ id }) => id === "start"));
    raw.child.kill("SIGKILL");
    await raw.exited();
    const client = await connect(bench);
    const taken = await call<Status>(client, "continue", { run_id: runId, wait_seconds: 120 });
    expect(taken.data).toMatchObject({ state: "awaiting_approval", gate: { kind: "implementation_start" } });
  });

  it.skipIf(!hasProc)(
    "a worker that is killed is reported, and continue takes the run up again (needs /proc)",
    async () => {
      const bench = openBench();
      const slow = { roles: { planner: [{ delayMs: 60_000 }], orchestrator: [{ delayMs: 60_000 }] } };
      const { runId } = bench.thehood(["plan", "x", "--no-loop", "--json", ...stub(slow)]).json<{ runId: string }>();
      const client = await connect(bench);
      const going = await call<Status>(client, "continue", { run_id: runId });
      expect(going.data.working).toBe(true);
      const worker = () => commandLines().find((line) => line.includes("continue") && line.includes(runId));
      await waitUntil(async () => {
        const { data } = await call<{ monitor: { phase: string } }>(client, "status", { run_id: runId });
        return data.monitor.phase === "provider_wait";
      }, "the planner is asked");
      process.kill(Number(worker()?.split(" ")[0]), "SIGKILL");
      const left = await settled(client, runId);
      expect(left.poll).toContain("thehood_continue");
      const taken = await call<Status>(client, "continue", { run_id: runId, wait_seconds: 120 });
      // What became of the call is unknown: nothing is repeated silently, a person is asked.
      expect(taken.data.gate).toMatchObject({ kind: "provider_in_doubt" });
    },
  );

  it.skipIf(!hasProc)(
    "a hundred calls to continue one run start one process for it, and too many runs wait for a place (needs /proc)",
    async () => {
      const bench = openBench();
      const slow = stub({ roles: { planner: [{ delayMs: 30_000 }], orchestrator: [{ delayMs: 30_000 }] } });
      const ids = Array.from(
        { length: 9 },
        () => bench.thehood(["plan", "x", "--no-loop", "--json", ...slow]).json<{ runId: string }>().runId,
      );
      const workers = (runId: string) =>
        commandLines().filter((line) => line.includes(" continue ") && line.includes(runId));
      const client = await connect(bench);
      const [first = ""] = ids;
      await Promise.all(Array.from({ length: 100 }, () => call(client, "continue", { run_id: first })));
      expect(workers(first)).toHaveLength(1);
      const answer = await Promise.all(ids.map((runId) => call<Status>(client, "continue", { run_id: runId })));
      const waiting = answer.filter(({ data }) => !data.working);
      expect(waiting).toHaveLength(1);
      expect(waiting[0]?.data.poll).toContain("thehood_continue");
      for (const id of ids) await call(client, "abort", { run_id: id });
      for (const id of ids) expect(await settled(client, id)).toMatchObject({ state: "aborted" });
    },
  );

  it("cancelling a call ends the wait, answers nothing, and does not abort the run; progress is sent to the client that asked", async () => {
    const bench = openBench();
    const slow = { roles: { planner: [{ delayMs: 1_500 }], orchestrator: [{ delayMs: 1_500 }] } };
    const { runId } = bench.thehood(["run", "x", "--no-loop", "--json", ...stub(slow)]).json<{ runId: string }>();
    const { raw } = await ready(bench);
    raw.send(toolCall("wait", "continue", { run_id: runId, wait_seconds: 300 }, { progressToken: "p1" }));
    const progress = await raw.next(({ method }) => method === "notifications/progress");
    expect(progress.params).toMatchObject({ progressToken: "p1", progress: 1 });
    raw.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "wait" } });
    raw.send(toolCall("look", "status", { run_id: runId }));
    await raw.next(({ id }) => id === "look");
    expect(raw.messages.some(({ id }) => id === "wait")).toBe(false);
    const client = await connect(bench);
    expect(await settled(client, runId)).toMatchObject({ state: "awaiting_approval" });
  });

  it("a client that never reads stops being read, and the server still ends on a signal", async () => {
    const { raw } = await ready();
    raw.child.stdout.pause();
    let accepted = true;
    for (let id = 0; id < 40_000 && accepted; id += 1)
      accepted =
        raw.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`) || id < 2_000;
    raw.child.kill("SIGTERM");
    raw.child.stdout.destroy();
    expect(await raw.exited()).toBe(0);
  });

  it("a store that vanishes and comes back is read as it is now", async () => {
    const bench = openBench();
    const client = await connect(bench);
    const first = await call<Status>(client, "plan", { goal: "one", wait_seconds: 60 });
    // The server may be writing in it at this moment.
    rmSync(realpathSync(join(bench.repo.dir, ".thehood")), { recursive: true, force: true, maxRetries: 20 });
    expect((await call<{ total: number }>(client, "runs")).data.total).toBe(0);
    const second = await call<Status>(client, "plan", { goal: "two", wait_seconds: 60 });
    expect(second.data.state).toBe("completed");
    expect((await call(client, "status", { run_id: first.data.runId })).isError).toBe(true);
  });
});
