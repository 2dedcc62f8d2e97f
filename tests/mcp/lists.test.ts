// Lists of runs over MCP: their pages and their sizes.
import { describe, expect, it } from "vitest";
import { fixing, stub } from "../cli/program.ts";
import { seedRuns } from "../support/seed-runs.ts";
import { call, connect, openBench, type Status } from "./client.ts";

const autopilot = ["--json", "--approvals", "autopilot", ...stub(fixing)];

describe("lists over MCP", () => {
  it("[R-80] more runs than fit into one list come by pages, each run once, as on the command line", async () => {
    const bench = openBench();
    const { runId } = bench.thehood(["run", "Make add() add", ...autopilot]).json<{ runId: string }>();
    await seedRuns(bench.repo.dir, runId, 130);
    const client = await connect(bench);
    interface Page {
      readonly total: number;
      readonly runs: { readonly runId: string }[];
      readonly nextCursor?: string;
    }
    const walk = async (page: (cursor: string[]) => Promise<Page>): Promise<string[]> => {
      const listed: string[] = [];
      for (let cursor: string[] = []; ;) {
        const { total, runs, nextCursor } = await page(cursor);
        expect(total).toBe(130);
        listed.push(...runs.map((run) => run.runId));
        if (nextCursor === undefined) return listed;
        cursor = [nextCursor];
      }
    };
    const listed = await walk(async ([cursor]) => (await call<Page>(client, "runs", { limit: 100, cursor })).data);
    expect(new Set(listed).size).toBe(130);
    expect(listed).toHaveLength(130);
    expect(listed).toContain(runId);
    const words = ["runs", "--json", "--limit", "60"];
    const typed = await walk(async (cursor) =>
      bench.thehood([...words, ...cursor.flatMap((at) => ["--cursor", at])]).json<Page>(),
    );
    expect(typed).toEqual(listed);
    expect(bench.thehood(["runs", "--limit", "129"]).out).toMatch(
      /129 of 130 runs; --limit shows more, --cursor \d+\.run_\w+ the next/,
    );
    expect(bench.thehood(["runs", "--limit", "130"]).out).not.toContain("--cursor");
  });

  it("[R-77] a status stays under 4 kB and twenty runs under 8 kB, in any alphabet; the goal is whole in the full view", async () => {
    const bench = openBench();
    const goals = [
      "日本語の長い目標".repeat(1_500),
      '"\\'.repeat(6_000),
      "🙂".repeat(5_000),
      "a long goal ".repeat(1_500),
    ];
    const client = await connect(bench);
    for (let index = 0; index < 20; index += 1) {
      const started = await call<Status>(client, "orchestrate", {
        goal: goals[index % goals.length],
        constraints: Array.from({ length: 50 }, () => "x".repeat(900)),
        ...(index < 4 ? { wait_seconds: 60 } : { mode: "plan" }),
      });
      expect(started.bytes).toBeLessThan(4_096);
      const listed = await call<Status>(client, "status", { run_id: started.data.runId });
      expect(listed.bytes).toBeLessThan(4_096);
      expect(listed.data.runId).toBe(started.data.runId);
    }
    const list = await call<{ total: number; runs: { runId: string }[] }>(client, "runs");
    expect(list.data).toMatchObject({ total: 20 });
    expect(list.data.runs).toHaveLength(20);
    expect(list.bytes).toBeLessThan(8_192);
    const first = list.data.runs.at(-1)?.runId;
    const full = await call<{ value: string }>(client, "status", {
      run_id: first,
      detail: "full",
      section: "goal",
    });
    expect(full.data.value.startsWith("日本語")).toBe(true);
  });
});
