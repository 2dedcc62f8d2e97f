// A queue of runs whose agents take their time, and what it must leave behind.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import process from "node:process";
import { expect, onTestFinished } from "vitest";
import { bin, type Desk } from "./program.ts";

const roles = ["orchestrator", "planner", "implementer", "verifier", "critic", "qa"];
const fixed = { op: "write", path: "src/add.js", text: "export const add = (a, b) => a + b;\n" };
/** Each agent takes so long that a process can be met at its work. */
const slow = {
  roles: {
    ...Object.fromEntries(roles.map((role) => [role, [{ delayMs: 400 }]])),
    // Asked again after a kill, it does the same once more, on whatever it had done by then.
    implementer: [{ edits: [fixed], payload: { changedFiles: ["src/add.js"] }, delayMs: 1_500 }],
  },
  repeatLast: true,
};

export interface Row {
  readonly runId: string;
  readonly state: string;
  readonly failures: number;
  readonly owner: { readonly pid: number } | null;
}

export const add = (desk: Desk, number: number): string =>
  desk
    .thehood([
      "queue",
      "add",
      `fix add, ${number}`,
      "--branch",
      `fix-${number}`,
      ...roles.flatMap((role) => [`--${role}`, role === "implementer" ? "stub:a" : "stub:b"]),
      "--stub-script",
      JSON.stringify(slow),
      "--approvals",
      "autopilot",
      "--json",
    ])
    .json<{ runId: string }>().runId;

export const rowsOf = (desk: Desk): readonly Row[] => desk.thehood(["queue", "--json"]).json<{ rows: Row[] }>().rows;
export const owners = (rows: readonly Pick<Row, "owner">[]): number[] =>
  rows.flatMap(({ owner }) => (owner === null ? [] : [owner.pid]));

export function serve(desk: Desk, parallel: number): ChildProcess {
  const args = [bin, "queue", "run", "--stay", "--parallel", String(parallel), "--quiet"];
  const child = spawn(process.execPath, args, { cwd: desk.repo.dir, env: desk.env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Looks until it holds; the time limit of the test is its end. */
export async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    await sleep(200);
  }
}

export const underWay = (desk: Desk, most = 1): Promise<number[]> =>
  until(() => {
    const pids = owners(rowsOf(desk));
    return pids.length >= most ? pids : undefined;
  });

/** The queue is empty, and each run is completed with one commit on its branch. */
export function expectWhole(desk: Desk, runs: readonly string[]): void {
  expect(desk.thehood(["queue", "run", "--parallel", "4", "--json"]).json<{ rows: Row[] }>().rows).toEqual([]);
  for (const [index, runId] of runs.entries()) {
    expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ runId, state: "completed" });
    const branch = `fix-${index + 1}`;
    const commits = execFileSync("git", ["rev-list", "--count", `main..${branch}`], {
      cwd: desk.repo.dir,
      encoding: "utf8",
    });
    expect([branch, commits.trim()]).toEqual([branch, "1"]);
  }
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: desk.repo.dir, encoding: "utf8" })).toBe("");
}
