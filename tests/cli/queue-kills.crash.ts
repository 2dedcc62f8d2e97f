// Many runs in a queue of four, random kill -9 of the server, of runs' processes and of their whole groups, and one reboot in
// the middle. A call that a killed process had sent is never repeated by itself: a person answers such a run with retry.
// Every run ends as the undisturbed one did, and nothing is done twice.
// Two servers share the queue, so that the places are shared too.
//   THEHOOD_QUEUE_RUNS=50 THEHOOD_QUEUE_KILLS=60 THEHOOD_QUEUE_SEED=7 THEHOOD_QUEUE_SERVERS=2 npm run test:crash -- tests/cli/queue-kills.crash.ts
import { execFileSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemCode } from "../../src/core/contract/index.ts";
import { openQueueFile } from "../../src/platform/store/queue/index.ts";
import { clock } from "../../src/platform/system/index.ts";
import { random as randomOf } from "../support/commands/mutate.ts";
import { openTestDesk, type Desk } from "./program.ts";
import { add, expectWhole, owners, rowsOf, serve } from "./queue-scene.ts";

const runs = Number(process.env["THEHOOD_QUEUE_RUNS"] ?? 12);
const kills = Number(process.env["THEHOOD_QUEUE_KILLS"] ?? 15);
const seed = Number(process.env["THEHOOD_QUEUE_SEED"] ?? 1);
const servers = Number(process.env["THEHOOD_QUEUE_SERVERS"] ?? 2);

/** False when it was gone already. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch (error) {
    if (systemCode(error) === "ESRCH") return false;
    throw error;
  }
}

interface Ending {
  readonly state: unknown;
  readonly tree: string;
  readonly doubled: readonly string[];
}

interface Told {
  readonly event: { readonly type: string; readonly callId?: string };
}

/** What a run left behind, without names and times; `doubled` names what happened more than once. */
function endingOf(desk: Desk, runId: string, branch: string): Ending {
  const { state } = desk.thehood(["status", runId, "--json"]).json();
  const { events } = desk.thehood(["show", runId, "--log", "--json"]).json<{ events: readonly Told[] }>();
  const once = ["agent_response", "final_report_written", "run_completed"].flatMap((type) =>
    events.flatMap(({ event }) => (event.type === type ? [`${type} ${event.callId ?? ""}`] : [])),
  );
  return {
    state,
    tree: execFileSync("git", ["rev-parse", `${branch}^{tree}`], { cwd: desk.repo.dir, encoding: "utf8" }),
    doubled: once.filter((name, at) => once.indexOf(name) !== at),
  };
}

/** The runs that wait at the question about an interrupted call get their answer; the number of them. */
function answerDoubts(desk: Desk): number {
  const waiting = rowsOf(desk).filter(({ state }) => state === "waits_for_you");
  for (const { runId } of waiting) {
    const { gate } = desk.thehood(["status", runId, "--json"]).json<{ gate: { kind: string } | null }>();
    expect(gate?.kind).toBe("provider_in_doubt");
    const answered = desk.thehood(["approve", runId, "--retry", "--no-continue", "--json"]);
    expect(answered.code, answered.err).toBe(0);
  }
  return waiting.length;
}

it(`[B-35] ${runs} runs in a queue of 4, ${kills} random kill -9 and one reboot: each ends as undisturbed, nothing twice`, async () => {
  const desk = openTestDesk();
  const began = Date.now();
  const tell = (line: string) => process.stderr.write(`${Math.round((Date.now() - began) / 1_000)} s ${line}\n`);
  const random = randomOf(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const ids = Array.from({ length: runs }, (_, index) => add(desk, index + 1));
  tell(`${runs} runs wait`);
  const queue = openQueueFile(join(desk.home, "config", "state", "queue.db"), clock);
  const serving: ChildProcess[] = Array.from({ length: servers }, () => serve(desk, 4));
  const counts = { server: 0, run: 0, group: 0, reboot: 0, most: 0, answered: 0 };
  const restart = (): void => {
    serving.splice(below(servers), 1)[0]?.kill("SIGKILL");
    serving.push(serve(desk, 4));
  };
  const reboot = (): void => {
    for (const server of serving) server.kill("SIGKILL");
    for (const pid of owners(queue.list())) kill(-pid);
    counts.reboot += 1;
    serving.splice(0, servers, ...serving.map(() => serve(desk, 4)));
  };
  const strike = (): void => {
    const working = owners(queue.list());
    counts.most = Math.max(counts.most, working.length);
    const chosen = working[below(working.length + 1)];
    if (chosen === undefined) restart();
    const group = below(2) === 0;
    if (chosen === undefined) counts.server += 1;
    else if (kill(group ? -chosen : chosen)) counts[group ? "group" : "run"] += 1;
  };
  const struck = () => counts.server + counts.run + counts.group;
  for (let left = queue.list().length; left > 0; left = queue.list().length) {
    await sleep(300 + below(2_500));
    if (struck() < kills) strike();
    if (counts.reboot === 0 && struck() >= kills / 2) reboot();
    counts.answered += answerDoubts(desk);
    tell(`${left} left, ${JSON.stringify(counts)}`);
  }
  for (const server of serving) server.kill("SIGKILL");
  queue.close();
  const endings = ids.map((id, index) => endingOf(desk, id, `fix-${index + 1}`));
  expectWhole(desk, ids);
  const [first] = endings;
  expect(first).toMatchObject({ state: "completed", doubled: [] });
  expect(endings.filter((ending) => JSON.stringify(ending) !== JSON.stringify(first))).toEqual([]);
  expect({ kills: struck(), reboots: counts.reboot, atMost4: counts.most <= 4 }).toEqual({
    kills,
    reboots: 1,
    atMost4: true,
  });
  tell(`each of ${runs} ended as the first, ${JSON.stringify(counts)}`);
});
