// Exactly once, shown on real processes: many duplicates at two gateways on one database, and gateways that are killed
// at each step of a call. The effects are counted where they happen: snapshots as folders, completions as rows.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { callTool, endReplica, ledgerOf, startReplica, type Replica } from "./support/replicas.ts";

const wishes = ["setup=setup", "auto=automation"];

async function replica(folder: string, sessions = wishes): Promise<Replica> {
  const started = await startReplica(folder, sessions);
  onTestFinished(() => endReplica(started));
  return started;
}

const snapshotsIn = (folder: string): string[] =>
  readdirSync(join(folder, "snapshots")).filter((name) => !name.includes(".partial"));

const toolFor = (key: number) =>
  key % 3 === 0
    ? { tool: "save_snapshot", args: { message: `m${key}` } }
    : { tool: "save_service_commands", args: { commands: [{ name: `n${key}`, command: "true" }] } };

export async function duplicatesAtTwo(keys: number, duplicates: number): Promise<void> {
  const folder = tempFolder("gateway-once-");
  const both = [await replica(folder), await replica(folder)];
  const answers = new Map<string, Set<string>>();
  for (let key = 0; key < keys; key += 1) {
    const { tool, args } = toolFor(key);
    const all = Array.from({ length: duplicates }, async (_, index) => {
      const answer = await callTool(both[index % 2] as Replica, "setup", tool, `key-${key}`, args);
      expect(answer?.status).toBe(200);
      const bodies = answers.get(`key-${key}`) ?? new Set();
      answers.set(`key-${key}`, bodies.add(answer?.body ?? ""));
    });
    await Promise.all(all);
  }
  for (const bodies of answers.values()) expect(bodies.size).toBe(1);
  const ledger = await ledgerOf(both[0] as Replica, "setup");
  expect(ledger).toHaveLength(keys);
  expect(ledger.filter(({ effects, attempts }) => effects !== 1 || attempts !== 1)).toEqual([]);
  expect(snapshotsIn(folder)).toHaveLength(
    Array.from({ length: keys }, (_, key) => key).filter((key) => key % 3 === 0).length,
  );
}

/** The call is lost with its gateway, and tried again at the next one. */
export async function killedAt(step: "intent" | "effect" | "result", times: number): Promise<void> {
  const folder = tempFolder("gateway-kill-");
  for (let time = 0; time < times; time += 1) {
    const mortal = await startReplica(folder, wishes, step);
    const callId = `kill-${time}`;
    expect(await callTool(mortal, "setup", "save_snapshot", callId, {})).toBeUndefined();
    expect(await mortal.ended).toBe("SIGKILL");
    const next = await replica(folder);
    const first = await callTool(next, "setup", "save_snapshot", callId, {});
    const second = await callTool(next, "setup", "save_snapshot", callId, {});
    expect(first).toMatchObject({ status: 200 });
    expect(JSON.parse(first?.body ?? "{}")).toMatchObject({ success: true });
    expect(second).toEqual(first);
    const row = (await ledgerOf(next, "setup")).find((one) => one.callId === callId);
    expect(row).toMatchObject({ outcome: "succeeded", effects: 1, attempts: step === "result" ? 1 : 2 });
    await endReplica(next);
    expect(snapshotsIn(folder)).toHaveLength(time + 1);
  }
}

/** A completion is one transaction: a gateway that dies before its answer has completed the run, once. */
export async function killedBeforeTheAnswer(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const folder = tempFolder("gateway-answer-");
    // The gateways of a shared database meet the sessions of the times before.
    const id = `auto${time}`;
    const args = { run_id: `r-${id}`, completion_id: "c1", outcome: "succeeded" };
    const mortal = await startReplica(folder, [`${id}=automation`], "answer");
    expect(await callTool(mortal, id, "automation.complete", "c1", args)).toBeUndefined();
    expect(await mortal.ended).toBe("SIGKILL");
    const next = await replica(folder, [`${id}=automation`]);
    const again = await callTool(next, id, "automation_complete", "c1", args);
    expect(again).toMatchObject({ status: 200 });
    // A new id of the same run repeats nothing.
    const other = await callTool(next, id, "automation_complete", "c2", { ...args, completion_id: "c2" });
    expect(JSON.parse(other?.body ?? "{}")).toMatchObject({ success: false });
    const ledger = await ledgerOf(next, id);
    expect(ledger.map(({ callId, effects, attempts }) => [callId, effects, attempts])).toEqual([
      ["c1", 1, 1],
      ["c2", 0, 1],
    ]);
    await endReplica(next);
  }
}

/** A frozen gateway loses the call to another one, and its late result is thrown away by the fence. */
export async function frozenOwner(): Promise<void> {
  const folder = tempFolder("gateway-frozen-");
  const one = await replica(folder);
  const other = await replica(folder);
  const calls = Array.from({ length: 20 }, (_, index) => callTool(one, "setup", "save_snapshot", `f-${index}`, {}));
  one.child.kill("SIGSTOP");
  const retries = Array.from({ length: 20 }, (_, index) => callTool(other, "setup", "save_snapshot", `f-${index}`, {}));
  one.child.kill("SIGCONT");
  const [first, second] = await Promise.all([Promise.all(calls), Promise.all(retries)]);
  expect(second.map((answer) => answer?.body)).toEqual(first.map((answer) => answer?.body));
  const ledger = await ledgerOf(other, "setup");
  expect(ledger.every(({ effects, outcome }) => effects === 1 && outcome === "succeeded")).toBe(true);
  expect(snapshotsIn(folder)).toHaveLength(20);
}
