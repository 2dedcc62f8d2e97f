// The promises of a gateway's store, for any kind of store: two gateways on one database see one order.
import { expect, it } from "vitest";
import type { GatewayStore, NewCall, SandboxSession } from "../../src/gateway/store/index.ts";

export interface TwoStores {
  /** Two stores on one new database, as two living gateways open them. */
  readonly one: GatewayStore;
  readonly two: GatewayStore;
  /** The same database as a gateway that has died had opened it. */
  readonly dead: GatewayStore;
}

export const session = (id: string, more: Partial<SandboxSession> = {}): SandboxSession => ({
  id,
  title: "t",
  sessionType: "setup",
  clientType: "user",
  configurationId: null,
  systemPrompt: null,
  tools: null,
  repoName: null,
  runId: null,
  model: "gpt-5.2",
  status: "pending",
  generation: 1,
  provider: "folder",
  boxId: null,
  agentSession: null,
  source: null,
  snapshotId: null,
  createdBy: "test",
  createdAt: 1,
  updatedAt: 1,
  outcome: null,
  summary: null,
  error: null,
  ...more,
});
export const configuration = (id: string) => ({
  id,
  name: id,
  source: null,
  serviceCommands: [],
  envFiles: [],
  snapshotId: null,
  status: "default" as const,
  updatedBy: "test",
  createdAt: 1,
  updatedAt: 1,
});
const call = (callId: string, more: Partial<NewCall> = {}): NewCall => ({
  sessionId: "s",
  callId,
  tool: "save_snapshot",
  argsHash: "h",
  now: 1000,
  leaseUntil: 2000,
  ...more,
});
const done = { success: true, result: "done" };

export function storeSuite(open: () => Promise<TwoStores>): void {
  it("keeps sessions, refuses a second one of an id, and changes none of another generation", async () => {
    const { one, two } = await open();
    await one.addSession(session("s"));
    await one.addSession(session("r", { createdAt: 2, status: "running" }));
    await expect(two.addSession(session("s"))).rejects.toThrow("already");
    expect(await two.changeSession("s", { status: "starting" }, 2)).toBe(false);
    expect(await two.changeSession("s", { status: "starting", generation: 2 }, 1)).toBe(true);
    expect(await one.session("s")).toMatchObject({ status: "starting", generation: 2 });
    expect((await one.sessions(1)).map(({ id }) => id)).toEqual(["r"]);
    expect((await two.activeSessions()).map(({ id }) => id)).toEqual(["s", "r"]);
    await two.changeSession("r", { status: "stopped" });
    expect((await one.activeSessions()).map(({ id }) => id)).toEqual(["s"]);
    expect(await one.session("nobody")).toBeUndefined();
    await expect(one.changeSession("nobody", {})).rejects.toThrow("none");
  });

  it("lets one living gateway hold a session, until it lets go or its time is over", async () => {
    const { one, two, dead } = await open();
    expect(await one.takeLease("s", 1000, 2000)).toBe(true);
    expect(await two.takeLease("s", 1500, 2500)).toBe(false);
    expect(await one.takeLease("s", 1500, 2500)).toBe(true);
    await two.releaseLease("s");
    expect(await two.takeLease("s", 2400, 3400)).toBe(false);
    expect(await two.takeLease("s", 2500, 3500)).toBe(true);
    await two.releaseLease("s");
    expect(await one.takeLease("s", 2600, 3600)).toBe(true);
    expect(await dead.takeLease("d", 1000, 9000)).toBe(true);
    expect(await one.takeLease("d", 1001, 9000)).toBe(true);
  });

  it("[A-40] gives a call to one caller, and decides every other one by the row", async () => {
    const { one, two, dead } = await open();
    await one.addSession(session("s"));
    expect(await one.ended(call("a"))).toBeUndefined();
    const both = await Promise.all([one.claim(call("a")), two.claim(call("a"))]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(["run", "wait"]);
    expect(await two.claim(call("a", { argsHash: "other" }))).toEqual({ kind: "conflict" });
    expect(await two.ended(call("a", { tool: "verify" }))).toEqual({ kind: "conflict" });
    expect(await two.claim(call("a", { now: 2000, leaseUntil: 3000 }))).toEqual({
      kind: "take_over",
      fence: 2,
    });
    expect(await one.settle(call("a"), 1, done, "succeeded", 1)).toBe(false);
    expect(await one.renew(call("a"), 1, 9000)).toBe(false);
    expect(await two.renew(call("a"), 2, 9000)).toBe(true);
    expect(await two.settle(call("a"), 2, done, "succeeded", 1)).toBe(true);
    expect(await two.settle(call("a"), 2, done, "failed", 0)).toBe(false);
    expect(await one.ended(call("a"))).toEqual({ kind: "replay", result: done });
    expect(await one.claim(call("a"))).toEqual({ kind: "replay", result: done });
    expect(await dead.claim(call("b"))).toEqual({ kind: "run" });
    expect(await one.claim(call("b", { now: 1001 }))).toEqual({ kind: "take_over", fence: 2 });
    expect(await one.invocations("s")).toMatchObject([
      { callId: "a", outcome: "succeeded", effects: 1, attempts: 2, result: done },
      { callId: "b", outcome: "executing", effects: 0, attempts: 2, result: null },
    ]);
  });

  it("[A-40] performs an effect that is data once, with the call, for many callers at once", async () => {
    const { one, two } = await open();
    await one.addConfiguration(configuration("c"));
    await one.addSession(session("s", { configurationId: "c" }));
    const effect = { kind: "service_commands", commands: [{ name: "n", command: "true" }] } as const;
    const asked = call("a", { tool: "save_service_commands" });
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).perform(asked, effect)),
    );
    expect(ends.map(({ kind }) => kind).sort()).toEqual(["done", ...Array.from({ length: 19 }, () => "replay")]);
    expect(await two.configuration("c")).toMatchObject({ serviceCommands: effect.commands, updatedAt: 1000 });
    const refused = { kind: "refused", result: { success: false, result: "no" } } as const;
    expect(await two.perform(call("b"), refused)).toEqual({ kind: "done", result: refused.result });
    expect(await one.invocations("s")).toMatchObject([
      { callId: "a", outcome: "succeeded", effects: 1, attempts: 1 },
      { callId: "b", outcome: "failed", effects: 0 },
    ]);
  });

  it("[A-9] completes a run once, with its session and the row of the outbox", async () => {
    const { one, two } = await open();
    const blank = { completionId: null, completionHash: null, completion: null, completedAt: null };
    const run = { id: "r", sessionId: "s", status: "running", createdAt: 1, ...blank } as const;
    await one.addSession(session("s", { clientType: "automation", sessionType: "coding", runId: "r" }), run);
    const completion = { run_id: "r", completion_id: "c", outcome: "succeeded" } as const;
    const effect = { kind: "completion", completion, hash: "x", open: false } as const;
    const ends = await Promise.all([one, two].map((store, at) => store.perform(call(`id-${at}`), effect)));
    expect(ends.every((end) => end.kind === "done" && end.result.success)).toBe(true);
    expect((await one.invocations("s")).map(({ effects }) => effects).sort()).toEqual([0, 1]);
    expect(await two.run("r")).toMatchObject({ status: "succeeded", completionId: "c", completedAt: 1000 });
    expect(await two.session("s")).toMatchObject({ outcome: "succeeded" });
    expect(await one.outboxDue(0)).toEqual([]);
    const [row, ...others] = await one.outboxDue(1e12);
    expect([row, others]).toMatchObject([{ kind: "stop_session", sessionId: "s", attempts: 0 }, []]);
    await two.outboxLater(row?.id ?? 0, 5e12);
    expect(await one.outboxDue(1e12)).toEqual([]);
    expect(await one.outboxDue(6e12)).toMatchObject([{ attempts: 1 }]);
    await one.outboxDone(row?.id ?? 0);
    expect(await two.outboxDue(6e12)).toEqual([]);
    expect(await two.runs()).toHaveLength(1);
  });

  it("[A-33] numbers the events of a session without a gap, and marks those of the other gateway", async () => {
    const { one, two } = await open();
    const mark = await one.mark();
    expect(await one.mark()).toBe(mark);
    const event = (text: string) => ({ at: 1, type: "message", data: { text } });
    await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).appendEvents("s", [event(`${at}`)])));
    expect(await one.mark()).not.toBe(mark);
    const all = await two.events("s", 0, 100);
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(all.map(({ data }) => data["text"])).size).toBe(10);
    expect((await one.events("s", 8, 1)).map(({ seq }) => seq)).toEqual([9]);
    expect(await one.events("other", 0, 10)).toEqual([]);
  });

  it("keeps sealed secrets by configuration, snapshots by label, and evidence by content", async () => {
    const { one, two } = await open();
    const sealed = { key: "K", keyId: "k", iv: "i", tag: "t", cipher: "c", updatedAt: 1 };
    expect(await one.putSecret({ configurationId: "c", ...sealed })).toEqual({ replaced: false });
    expect(await two.putSecret({ configurationId: "c", ...sealed, cipher: "d" })).toEqual({ replaced: true });
    expect(await one.secrets("c")).toEqual([{ configurationId: "c", ...sealed, cipher: "d" }]);
    expect(await one.secrets("other")).toEqual([]);
    expect(await one.removeSecret("c", "K")).toBe(true);
    expect(await one.removeSecret("c", "K")).toBe(false);

    await one.addConfiguration(configuration("c"));
    await one.addSession(session("s", { configurationId: "c" }));
    await one.addSession(session("t", { sessionType: "coding", configurationId: "c" }));
    const snapshot = { configurationId: "c", provider: "folder", message: "", createdAt: 1 } as const;
    for (const id of ["s", "t"])
      await one.addSnapshot({ id: `n${id}`, label: id, sessionId: id, state: "intended", ...snapshot });
    await expect(
      two.addSnapshot({ id: "other", label: "s", sessionId: "s", state: "intended", ...snapshot }),
    ).rejects.toThrow();
    await two.snapshotReady("ns", true);
    await two.snapshotReady("nt", true);
    expect(await one.configuration("c")).toMatchObject({ snapshotId: "ns", status: "ready" });
    expect(await one.session("t")).toMatchObject({ snapshotId: "nt" });
    expect((await one.snapshots()).map(({ state }) => state)).toEqual(["ready", "ready"]);

    const about = { kind: "log", mediaType: "text/plain", summary: "evidence" } as const;
    const { ref } = await one.artifacts.put("proof", about);
    expect(Buffer.from(await two.artifacts.read(ref)).toString("utf8")).toBe("proof");
    expect((await two.artifacts.put("proof", about)).ref).toBe(ref);
  });
}
