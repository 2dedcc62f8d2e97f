// A whole governed run through the real command line on a real repository, and what must be true of it in the end.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { expect } from "vitest";
import type { RunEvent } from "../../src/core/contract/index.ts";
import { locateRepository } from "../../src/platform/git/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { plainGit } from "../support/repository.ts";
import { scratch } from "./checker.ts";
import { runProgram, type Outcome, type Program } from "./harness/index.ts";
import { removeFolder } from "../support/remove-folder.ts";

const thehood = resolve(import.meta.dirname, "../../bin/thehood.js");

/** The worker writes the same bytes however often it is asked, so that asking again after a crash ends alike. */
const script = {
  repeatLast: true,
  roles: {
    implementer: [
      {
        summary: "Said hello to the world.",
        edits: [
          { op: "write", path: "a.txt", text: "hello world\n" },
          { op: "write", path: "b.txt", text: "new\n" },
        ],
        payload: { status: "changed", changedFiles: ["a.txt", "b.txt"] },
      },
    ],
  },
};

export interface Place {
  readonly root: string;
  readonly repo: string;
}

export function cli(place: Place, ...args: string[]): Program {
  const env = { THEHOOD_HOME: join(place.root, "home"), NO_COLOR: "1" };
  return { argv: [process.execPath, thehood, ...args], cwd: place.repo, env };
}

const ask = (place: Place, ...args: string[]) => runProgram(cli(place, ...args));

let template: string | undefined;
let made = 0;

/** A repository with one file and a crew of stubs, made once and copied for each trial. */
export async function newPlace(): Promise<Place> {
  const root = join(scratch, `run-${process.pid}-${made++}`);
  const place = { root, repo: join(root, "repo") };
  if (template !== undefined) {
    cpSync(template, root, { recursive: true });
    return place;
  }
  mkdirSync(place.repo, { recursive: true });
  writeFileSync(join(place.repo, "a.txt"), "hello\n");
  writeFileSync(join(root, "script.json"), JSON.stringify(script));
  plainGit(place.repo, "init", "-q", "-b", "main");
  plainGit(place.repo, "add", "-A");
  plainGit(place.repo, "commit", "-q", "-m", "first");
  const ready = await ask(place, "teams", "apply", "stub");
  expect(ready.exitCode, ready.stderr).toBe(0);
  template = root;
  return await newPlace();
}

export function dropPlace({ root }: Place): void {
  removeFolder(root);
}

export function startArguments(place: Place): string[] {
  const checks = ["--check", "grep world a.txt"];
  const script = ["--stub-script", join(place.root, "script.json")];
  return ["run", "say hello to the world", ...script, "--approvals", "autopilot", ...checks];
}

/** Lines like `  12 ✔ text`, which tell that event 12 is stored. */
export function toldEvents(output: string): Map<number, string> {
  const lines = output.split("\n").slice(0, -1);
  const found = lines.flatMap((line) => [...line.matchAll(/^(?:[\d:]+)?\s*(\d+) ([✔✘◆·] .*)$/g)]);
  return new Map(found.map((match) => [Number(match[1]), match[2] ?? ""]));
}

interface Status {
  readonly state: string;
  readonly gate: { readonly kind: string; readonly sha256: string } | null;
  readonly stopReason: string | null;
}

async function runIdsAt(place: Place): Promise<string[]> {
  const store = openStore<RunEvent>(locateRepository(place.repo).stateDir, {
    clock: { now: () => 0 },
    mode: "read",
  });
  const found = (await store.log.list()).map((row) => row.runId);
  await store.close();
  return found;
}

/** Everything that was told before the crash is in the log, word for word. */
export async function expectTold(place: Place, outcome: Outcome): Promise<void> {
  const told = toldEvents(outcome.stderr);
  const [runId] = await runIdsAt(place);
  if (runId === undefined) return expect([...told]).toEqual([]);
  const logs = await ask(place, "logs", runId, "--verbose");
  const stored = toldEvents(logs.stdout);
  expect([...told].filter(([seq, text]) => stored.get(seq) !== text)).toEqual([]);
}

/** Does what a person does after a crash: continues, and answers that a call without an outcome be made again. */
export async function resume(place: Place): Promise<Status> {
  const [runId] = await runIdsAt(place);
  let last = runId === undefined ? await ask(place, ...startArguments(place), "--json") : undefined;
  for (let turn = 0; turn < 6; turn++) {
    last ??= await ask(place, "continue", runId ?? "", "--json");
    expect(last.stderr).not.toContain("internal error");
    const status = JSON.parse(last.stdout) as Status;
    if (status.gate?.kind !== "provider_in_doubt") return status;
    const shown = ["--shown", status.gate.sha256];
    last = await ask(place, "approve", runId ?? "", "--retry", ...shown, "--json");
  }
  throw new Error("the run does not come to an end");
}

/** The same end as that of a run that nothing disturbed. */
export async function expectSameEnd(place: Place): Promise<void> {
  const status = await resume(place);
  expect(status).toMatchObject({ state: "completed", gate: null });
  const [runId = "", ...others] = await runIdsAt(place);
  expect(others).toEqual([]);
  expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("hello world\n");
  expect(readFileSync(join(place.repo, "b.txt"), "utf8")).toBe("new\n");
  expect(plainGit(place.repo, "status", "--porcelain")).toBe(" M a.txt\n?? b.txt\n");
  expect(plainGit(place.repo, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  const worktrees = join(place.repo, ".thehood", "worktrees");
  expect(existsSync(worktrees) ? readdirSync(worktrees) : []).toEqual([]);
  const store = openStore<RunEvent>(locateRepository(place.repo).stateDir, {
    clock: { now: () => 0 },
    mode: "read",
  });
  expect((await store.log.verify()).problems).toEqual([]);
  expect(await store.leases.holder(runId)).toBeUndefined();
  const applied = (await store.log.read(runId)).filter(({ event }) => event.type === "patch_applied");
  expect(applied).toHaveLength(1);
  await store.close();
}
