// Trouble around sessions: a gateway that dies while a sandbox starts, a store that is away, copies that were not finished.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderSandboxes } from "../../src/gateway/sandboxes/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { isAlive } from "../../src/platform/system/index.ts";
import type { LeaseOwner } from "../../src/core/contract/index.ts";
import { AttachedSandboxes } from "../../src/gateway/service/attached.ts";
import type { SessionDeps } from "../../src/gateway/service/deps.ts";
import { Translator } from "../../src/gateway/agent/translate.ts";
import { openTurn } from "../../src/gateway/service/missed-end.ts";
import type { SandboxSession, SessionEvent } from "../../src/gateway/store/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openScene, type Answer, type Scene } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");
const saysAssistant = ({ type, data }: SessionEvent): boolean => type === "message" && data["role"] === "assistant";

describe("[B-30] nothing that runs is unknown to the store", () => {
  it("the id of a sandbox is stored before the sandbox exists", async () => {
    const folder = tempFolder("gateway-");
    const boxes = folderSandboxes(folder);
    const seen: unknown[] = [];
    const scene: Scene = await openScene({
      folder,
      sandboxes: () => ({
        ...boxes,
        async create(spec) {
          seen.push((await scene.gateway.deps.store.session(spec.sessionId))?.boxId);
          return boxes.create(spec);
        },
      }),
    });
    await scene.ask("POST", "/api/sessions", { kind: "scratch", id: "s", start: true });
    expect(seen).toEqual(["s.1"]);
  });

  confined("a sandbox that was being started when its gateway died is ended by its id", async () => {
    const scene = await openScene();
    const { boxId } = (await scene.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
    const file = join(scene.folder, "boxes", boxId as string, "box.json");
    const record = JSON.parse(readFileSync(file, "utf8")) as { run: string; first: LeaseOwner };
    expect(isAlive(record.first)).toBe(true);
    // As a gateway leaves it that dies before it knows the process.
    writeFileSync(file, JSON.stringify({ ...record, first: null }));
    await scene.gateway.deps.sandboxes.end(boxId as string);
    await expect.poll(() => isAlive(record.first), { timeout: 20_000 }).not.toBe(true);
    expect(existsSync(record.run)).toBe(false);
  });
});

it("copies of a home that a dead process left are removed when a gateway starts, those of a living one stay", async () => {
  const folder = tempFolder("gateway-");
  const [dead, living] = [join(folder, "snapshots", "a.partial.4194303"), join(folder, "snapshots", "b.partial.1")];
  for (const path of [dead, living]) mkdirSync(path, { recursive: true });
  await openScene({ folder, sandboxes: () => folderSandboxes(folder) });
  expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
});

confined(
  "a store that is away while an agent streams ends nothing, and its events come afterwards in order",
  async () => {
    const line = { away: false };
    const scene = await openScene({
      store: (store) => ({
        ...store,
        appendEvents: (...args) =>
          line.away ? Promise.reject(new Error("the database is away")) : store.appendEvents(...args),
      }),
    });
    const { id } = (await scene.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
    const sent = scene.gateway.sessions.message(id as string, "one two three four");
    await sent;
    line.away = true;
    await expect
      .poll(() => scene.logged, { timeout: 30_000 })
      .toContainEqual(expect.objectContaining({ event: "store", why: "Error: the database is away" }));
    line.away = false;
    await scene.event(id as string, ({ type }) => type === "message_complete");
    const events = await scene.gateway.deps.store.events(id as string, 0, 1000);
    const told = events.find(({ type, data }) => type === "message" && data["role"] === "assistant");
    expect(told?.data["text"]).toBe("one two three four");
    const tokens = events.filter(({ type }) => type === "token").map(({ data }) => String(data["token"]));
    expect(tokens.join("")).toBe("one two three four");
  },
);

it("a sandbox that another gateway follows is attached once for all calls, and its values are read at each", async () => {
  const counts = { attached: 0, learned: 0 };
  const held = { alive: async () => true, exec: async () => ({ code: 1, stdout: Buffer.from(""), stderr: "" }) };
  const deps = {
    sandboxes: { runsAgents: true, attach: async () => ((counts.attached += 1), held) },
    store: { secrets: async () => [] },
    known: { add: () => (counts.learned += 1) },
  } as unknown as SessionDeps;
  const kept = new AttachedSandboxes(deps);
  const session = { id: "s", boxId: "s.1", configurationId: null } as unknown as SandboxSession;
  const all = await Promise.all(Array.from({ length: 20 }, () => kept.sandbox(session)));
  for (let times = 0; times < 20; times += 1) await kept.sandbox(session);
  expect(new Set(all)).toEqual(new Set([held]));
  expect(counts.attached).toBe(1);
  expect(counts.learned).toBeGreaterThan(20);
});

confined("[A-33] a tool that ends while no gateway runs has its end in the events afterwards, once", async () => {
  const first = await openScene({ limits: { leaseMs: 600_000 } });
  const { id } = (await first.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
  const session = id as string;
  await first.ask("POST", `/api/sessions/${session}/message`, { content: "SLOW 2500" });
  const start = await first.event(session, ({ type }) => type === "tool_start");
  // The first gateway follows nothing any more, as if it had ended.
  await first.gateway.sessions.release();
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  const second = await openScene({ folder: first.folder });
  const end = await second.event(session, ({ type }) => type === "tool_end");
  expect(end.data).toMatchObject({ toolCallId: start.data["toolCallId"], tool: "bash", success: true, result: "slow" });
  // So has its turn, without another message.
  const complete = await second.event(session, ({ type }) => type === "message_complete");
  const { at: answered } = await second.event(session, saysAssistant);
  expect(answered).toBeLessThanOrEqual(complete.at);
  await second.ask("POST", `/api/sessions/${session}/message`, { content: "go on" });
  await second.event(session, ({ type }) => type === "message_complete", complete.seq);
  const events = await second.gateway.deps.store.events(session, 0, 1000);
  expect(events.filter(({ type }) => type === "tool_end")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "tool_start")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "message_complete")).toHaveLength(2);
});

confined("[A-33] an agent that ends in its turn ends the turn", async () => {
  const scene = await openScene();
  const { id } = (await scene.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
  await scene.ask("POST", `/api/sessions/${id}/message`, { content: "RUN kill -9 $PPID" });
  const { data, seq } = await scene.event(id as string, ({ type }) => type === "error");
  expect(data["message"]).toBe("The agent has ended.");
  const { seq: ended } = await scene.event(id as string, ({ type }) => type === "message_complete", seq);
  // A later message is refused in words, and its turn ends.
  const later = await scene.ask("POST", `/api/sessions/${id}/message`, { content: "hello" });
  expect(later).toMatchObject({ status: 503, body: { error: expect.stringContaining("did not reach") as string } });
  await scene.event(id as string, ({ type }) => type === "message_complete", ended);
});

describe("[A-33] the end of a turn that was missed", () => {
  const event = (seq: number, type: SessionEvent["type"], data: object = {}): SessionEvent =>
    ({ seq, type, data, at: seq * 1000, sessionId: "s" }) as unknown as SessionEvent;
  const asked = (seq: number) => event(seq, "message", { role: "user", text: "go" });

  it.each([
    ["no message", [event(1, "status", { status: "running" })], undefined],
    ["a turn that ended", [asked(1), event(2, "message_complete")], undefined],
    ["a message that the agent has not got yet", [asked(1)], { at: 1000, begun: false }],
    ["a turn in work", [asked(1), event(2, "status", { status: "busy" })], { at: 1000, begun: true }],
    [
      "a tool call",
      [asked(1), event(2, "message_complete"), asked(3), event(4, "tool_start")],
      { at: 3000, begun: true },
    ],
    ["a second message in the same turn", [asked(1), event(2, "tool_start"), asked(3)], { at: 3000, begun: false }],
    ["an agent that was started anew", [asked(1), event(2, "status", { status: "starting" })], undefined],
  ])("%s", (_, events, open) => {
    expect(openTurn(events)).toEqual(open);
  });

  it("is stored once, also when its own event comes after all, and the next turn has its own", () => {
    const translator = new Translator("ses_1");
    const status = (type: string) =>
      translator.translate({ type: "session.status", properties: { sessionID: "ses_1", status: { type } } });
    const idle = () => translator.translate({ type: "session.idle", properties: { sessionID: "ses_1" } });
    status("busy");
    expect(translator.missedEnd().map(({ type }) => type)).toEqual(["status", "message_complete"]);
    expect([...status("idle"), ...idle()]).toEqual([]);
    status("busy");
    expect(idle()).toEqual([{ type: "message_complete", data: {} }]);
    expect(translator.ends).toBe(2);
  });
});
