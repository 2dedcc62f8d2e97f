// What an agent does while it works, seen from other processes: status, watch, the terminal's data and an MCP host.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { call, connect, openBench, stubCrew } from "../mcp/client.ts";

const key = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");

/** A program that speaks as Codex does, tells what it does, and then takes its time. */
function slowCodex(): string {
  const dir = tempFolder("thehood-codex-");
  const file = join(dir, "codex");
  const events = [
    { type: "item.completed", item: { type: "agent_message", text: `I try it with ${key} first.` } },
    { type: "item.started", item: { type: "command_execution", command: `npm test --token ${key}` } },
  ];
  const lines = events.map((event) => `echo '${JSON.stringify(event)}'`).join("\n");
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.166.0 && exit 0\n${lines}\nsleep 120\n`);
  chmodSync(file, 0o755);
  return file;
}

interface Seen {
  readonly activities?: readonly {
    readonly who: string;
    readonly does: { readonly text: string } | null;
    readonly says: { readonly text: string } | null;
  }[];
}

it("[R-45] status, watch, show and MCP tell what the agent at work does, without its secrets, and nothing of it is recorded", async () => {
  const bench = openBench();
  bench.configure({
    roles: { ...stubCrew, planner: "codex-cli:gpt-5.5" },
    providers: { "codex-cli": { program: slowCodex() } },
    policy: { approvals: "autopilot" },
  });
  bench.env["CODEX_API_KEY"] = "none";
  const run = bench.spawn(["run", "fix it", "--json"]);
  onTestFinished(() => void run.kill("SIGKILL"));
  const status = () => bench.thehood(["status", "--json"]);
  let seen: Seen = {};
  for (let n = 0; n < 200 && !seen.activities?.some(({ who, does }) => does && who.startsWith("planner")); n += 1) {
    await sleep(100);
    const ran = bench.thehood(["show", "--json"]);
    if (ran.code !== 4) seen = ran.json<Seen>();
  }
  const [planner] = seen.activities ?? [];
  expect(planner?.who).toBe("planner (codex-cli:gpt-5.5)");
  expect(planner?.does?.text).toMatch(/^\$ npm test --token/);
  expect(planner?.says?.text).toMatch(/^I try it with .* first\.$/);
  expect(status().code).toBe(0);
  const [id] = bench.thehood(["runs", "--json"]).json<{ runs: { runId: string }[] }>().runs;
  const text = bench.thehood(["status", id?.runId ?? ""]).out;
  expect(text).toMatch(
    /planner \(codex-cli:gpt-5\.5\): \$ npm test --token .*\(\d+ s\), says: I try it with .* ago\), about [\d,]+ tokens so far/,
  );
  const watch = bench.spawn(["watch"]);
  let watched = "";
  watch.stderr?.on("data", (chunk: Buffer) => (watched += chunk.toString()));
  for (let n = 0; n < 1_200 && !watched.includes("$ npm test"); n += 1) await sleep(100);
  watch.kill("SIGKILL");
  expect(watched).toContain("planner (codex-cli:gpt-5.5): $ npm test --token");
  const host = await connect(bench);
  const reported = await call(host, "status");
  expect(reported.data["activity"]).toMatchObject([
    { who: "planner (codex-cli:gpt-5.5)", does: expect.stringMatching(/^\$ npm test/) as string },
  ]);
  expect(reported.bytes).toBeLessThan(4_096);
  expect(bench.thehood(["abort", id?.runId ?? ""]).code).toBe(0);
  const record = bench.thehood(["logs", id?.runId ?? "", "--json"]).out;
  for (const shown of [text, watched, reported.text, JSON.stringify(seen)]) expect(shown).not.toContain(key);
  expect(record).not.toContain("npm test --token");
  expect(bench.thehood(["show", "--json"]).json<Seen>().activities).toEqual([]);
});
