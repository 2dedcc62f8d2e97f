// The queue of this machine, through the real program.
import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openQueueFile } from "../../src/platform/store/queue/index.ts";
import { clock } from "../../src/platform/system/index.ts";
import { fixing, openTestDesk } from "./program.ts";

const roles = ["orchestrator", "planner", "implementer", "verifier", "critic", "qa"];
const options = [
  ...roles.flatMap((role) => [`--${role}`, role === "implementer" ? "stub:a" : "stub:b"]),
  "--stub-script",
  JSON.stringify(fixing),
  "--approvals",
  "autopilot",
  "--json",
];
interface Shown {
  readonly runId: string;
  readonly paused: boolean;
  readonly rows: readonly { readonly runId: string; readonly state: string }[];
}

it("added runs wait, a paused queue begins none, and queue run ends them and empties the queue", () => {
  const desk = openTestDesk();
  const [first, second] = [1, 2].map(() => desk.thehood(["queue", "add", "fix add", ...options]).json<Shown>().runId);
  const top = desk.thehood(["queue", "top", second ?? "", "--json"]).json<Shown>();
  expect(top.rows.map(({ runId, state }) => [runId, state])).toEqual([
    [second, "waiting"],
    [first, "waiting"],
  ]);
  desk.thehood(["queue", "pause"]);
  expect(desk.thehood(["queue", "run", "--json"]).json<Shown>()).toMatchObject({ paused: true, rows: top.rows });
  desk.thehood(["queue", "pause", "--off"]);
  expect(desk.thehood(["queue", "run", "--parallel", "2", "--json"]).json<Shown>().rows).toEqual([]);
  for (const runId of [first, second])
    expect(desk.thehood(["status", runId ?? "", "--json"]).json()).toMatchObject({ state: "completed" });
});

it("a run that is not in the queue, and a call without goal or run, are refused with a way on", () => {
  const desk = openTestDesk();
  expect(desk.thehood(["queue", "remove", "run_nothing", "--json"]).json()).toMatchObject({
    error: { code: "not_found", remedy: "See what is: thehood queue" },
  });
  expect(desk.thehood(["queue", "add", "--json"]).json()).toMatchObject({ error: { code: "invalid_input" } });
});

it("[B-35] the process of a run begins nothing when the queue was paused, or the run taken out, in the meantime", () => {
  const desk = openTestDesk();
  const [first, second] = [1, 2].map(() => desk.thehood(["queue", "add", "fix add", ...options]).json<Shown>().runId);
  desk.thehood(["queue", "remove", first ?? ""]);
  const work = (runId = "") => desk.thehood(["queue", "work", runId, "--json"]).json();
  expect(work(first)).toMatchObject({ stop: "full" });
  desk.thehood(["queue", "pause"]);
  expect(work(second)).toMatchObject({ stop: "full" });
  desk.thehood(["queue", "pause", "--off"]);
  expect(work(second)).toMatchObject({ stop: "terminal" });
});

it("[B-35] a run whose process was killed between its end and its commit is committed by the next queue run", () => {
  const desk = openTestDesk();
  const { runId } = desk.thehood(["queue", "add", "fix add", "--branch", "fix-add", ...options]).json<Shown>();
  const tip = () => desk.repo.git("for-each-ref", "--format=%(objectname)", "refs/heads/fix-add").trim();
  const whole = desk.thehood(["queue", "run", "--json"]).json<Shown>();
  expect([whole.rows, tip()]).toEqual([[], expect.stringMatching(/^[0-9a-f]{40}$/)]);
  // As such a process leaves it: the run is over, its entry is there, its commit is not.
  desk.repo.git("update-ref", "-d", "refs/heads/fix-add");
  desk.repo.git("update-ref", "-d", "refs/thehood/evidence");
  const queue = openQueueFile(join(desk.home, "config", "state", "queue.db"), clock);
  queue.add(runId, desk.repo.dir);
  queue.close();
  expect(desk.thehood(["queue", "run", "--json"]).json<Shown>().rows).toEqual([]);
  expect(tip()).toMatch(/^[0-9a-f]{40}$/);
});

it("[B-35] a run of a repository that was moved is worked on where it is now; of a copy only after it was taken out", () => {
  const desk = openTestDesk();
  const { runId } = desk.thehood(["queue", "add", "fix add", ...options]).json<Shown>();
  const at = (folder: string, ...words: string[]) => desk.thehood([...words, "--json"], { cwd: folder });
  const again = (folder: string) => at(folder, "queue", "add", "--run", runId);
  const [here, copy, moved] = [desk.repo.dir, `${desk.repo.dir}-copy`, `${desk.repo.dir}-moved`];
  cpSync(here, copy, { recursive: true });
  const stateIn = (folder: string) => at(folder, "status", runId).json<{ state: string }>().state;
  const before = stateIn(copy);
  expect(again(copy).json()).toMatchObject({
    error: { code: "conflict", remedy: expect.stringContaining("thehood queue remove RUN") },
  });
  renameSync(here, moved);
  expect(at(moved, "queue").json<Shown>().rows).toMatchObject([{ runId, state: "missing" }]);
  expect(again(moved).json<Shown>().rows).toMatchObject([{ runId, state: "waiting" }]);
  expect(at(moved, "queue", "run").json<Shown>().rows).toEqual([]);
  expect([stateIn(moved), stateIn(copy)]).toEqual(["completed", before]);
});
