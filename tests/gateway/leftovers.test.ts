// What a gateway leaves behind when a start fails, when it dies between two steps, or when its disk or its store is in trouble.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderSandboxes } from "../../src/gateway/sandboxes/index.ts";
import { folderSnapshots } from "../../src/gateway/sandboxes/snapshots.ts";
import type { SandboxAgent } from "../../src/gateway/agent/opencode.ts";
import type { SessionDeps } from "../../src/gateway/service/deps.ts";
import { followAgent } from "../../src/gateway/service/follow.ts";
import type { SandboxSession } from "../../src/gateway/store/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openScene, type Answer } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");
const nothing = { files: [], values: [] };

describe("[B-30] a start that does not succeed", () => {
  confined("leaves no sandbox when its values cannot be read after it was made", async () => {
    const store = { broken: false };
    const scene = await openScene({
      store: (whole) => ({
        ...whole,
        secrets: (id) => (store.broken ? Promise.reject(new Error("the store is away")) : whole.secrets(id)),
      }),
    });
    const { id: configurationId } = (await scene.ask("POST", "/api/configurations", { name: "c" })).body as Answer;
    store.broken = true;
    const made = await scene.ask("POST", "/api/sessions", { kind: "coding", id: "s", configurationId, start: true });
    expect(made.status).toBe(500);
    expect(readdirSync(join(scene.folder, "boxes"))).toEqual([]);
    expect((await scene.gateway.deps.store.session("s"))?.status).toBe("failed");
    store.broken = false;
    const again = await scene.ask("POST", "/api/sessions/s/start");
    expect(again.body).toMatchObject({ status: "running", boxId: "s.2" });
  });

  confined("leaves no home when the gateway died while it filled it", async () => {
    const first = await openScene();
    await first.ask("POST", "/api/sessions", { kind: "scratch", id: "s" });
    await first.gateway.deps.store.changeSession("s", { status: "starting", boxId: "s.1" });
    const home = join(first.folder, "boxes", "s.1", "home");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "half"), "of a file");
    const second = await openScene({ folder: first.folder });
    expect((await second.gateway.deps.store.session("s"))?.status).toBe("stopped");
    expect(readdirSync(join(first.folder, "boxes"))).toEqual([]);
  });

  it("of one session keeps a gateway from no other session", async () => {
    const folder = tempFolder("gateway-");
    const boxes = folderSandboxes(folder);
    const first = await openScene({ folder, sandboxes: () => boxes });
    for (const id of ["bad", "good"]) {
      await first.ask("POST", "/api/sessions", { kind: "scratch", id });
      await first.gateway.deps.store.changeSession(id, { status: "starting", boxId: `${id}.1` });
    }
    const busy = { bad: true };
    const second = await openScene({
      folder,
      limits: { leaseMs: 1_200 },
      sandboxes: () => ({
        ...boxes,
        end: (id) => (busy.bad && id === "bad.1" ? Promise.reject(new Error("EBUSY")) : boxes.end(id)),
      }),
    });
    const statuses = async () =>
      Promise.all(["bad", "good"].map(async (id) => (await second.gateway.deps.store.session(id))?.status));
    expect(await statuses()).toEqual(["starting", "stopped"]);
    expect(second.logged).toContainEqual(expect.objectContaining({ event: "take_over", sessionId: "bad" }));
    busy.bad = false;
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(["stopped", "stopped"]);
  });
});

describe("[B-30] a snapshot that is not finished", () => {
  it("leaves no copy when the disk is full, so that no secret and no space is lost", async () => {
    const root = join(tempFolder("snapshots-"), "s");
    const snapshots = folderSnapshots(root, async (_, to) => {
      mkdirSync(to);
      writeFileSync(join(to, "env"), "a-secret-value");
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    });
    await expect(snapshots.take("label", root, nothing)).rejects.toThrow("no space left");
    expect(readdirSync(root)).toEqual([]);
  });

  it("is removed at the next start, also when this process has the pid of the dead one, and never while it is made", async () => {
    const root = join(tempFolder("snapshots-"), "s");
    const from = tempFolder("home-");
    let name = "";
    const snapshots = folderSnapshots(root, async (_, to) => {
      mkdirSync(to);
      name = basename(to);
      const [pid, , host] = name.slice("label.partial.".length).split(".");
      expect(pid).toBe(String(process.pid));
      // The same pid, started at another time: a container gives its first process the same pid each time.
      mkdirSync(join(root, `old.partial.${pid}.0123456789ab.${host}`));
      // Of another machine on the same folder: whether it still works cannot be seen from here.
      mkdirSync(join(root, `far.partial.${pid}.0123456789ab.0123456789ab`));
      await folderSnapshots(root).clean();
      expect(readdirSync(root).sort()).toEqual([`far.partial.${pid}.0123456789ab.0123456789ab`, name].sort());
    });
    await snapshots.take("label", from, nothing);
    expect(existsSync(join(root, "label"))).toBe(true);
    expect(existsSync(join(root, name))).toBe(false);
  });
});

confined("[A-33] a store that is away while a session is taken over gives no event twice", async () => {
  const first = await openScene({ limits: { leaseMs: 600_000 } });
  const { id } = (await first.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
  const session = id as string;
  await first.ask("POST", `/api/sessions/${session}/message`, { content: "SLOW 100" });
  await first.event(session, ({ type }) => type === "message_complete");
  await first.gateway.sessions.release();
  let refusals = 3;
  const second = await openScene({
    folder: first.folder,
    store: (store) => ({
      ...store,
      events: (...args) => ((refusals -= 1) >= 0 ? Promise.reject(new Error("away")) : store.events(...args)),
    }),
  });
  await expect.poll(() => refusals, { timeout: 30_000 }).toBeLessThan(0);
  await second.ask("POST", `/api/sessions/${session}/message`, { content: "go on" });
  const all = async () => second.gateway.deps.store.events(session, 0, 1000);
  await expect
    .poll(async () => (await all()).filter(({ type }) => type === "message_complete").length, { timeout: 30_000 })
    .toBe(2);
  const events = await all();
  expect(events.filter(({ type }) => type === "tool_start")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "tool_end")).toHaveLength(1);
});

it("[B-30] an agent that ends while the store is away ends no gateway, and its turn ends when the store is there again", async () => {
  const asked = { seq: 1, at: 1, type: "message", data: { role: "user", text: "go" } };
  const stored: string[] = [];
  let looks = 0;
  const deps = {
    events: {
      // Away at the second and third look, when the agent has ended.
      last: async () => ((looks += 1) === 2 || looks === 3 ? Promise.reject(new Error("away")) : [asked]),
      append: async (_: string, ...events: { type: string }[]) => void stored.push(...events.map(({ type }) => type)),
    },
    known: { of: () => [], json: (_: string, value: unknown) => value },
    clock: { now: () => Date.now() },
    log: () => undefined,
  } as unknown as SessionDeps;
  const agent = { events: () => Promise.reject(new Error("refused")) } as unknown as SandboxAgent;
  const session = { id: "s", agentSession: "a" } as unknown as SandboxSession;
  await followAgent(deps, session, agent, new AbortController().signal);
  expect(looks).toBe(4);
  expect(stored).toEqual(["error", "message_complete"]);
});
