// The disk of a gateway is full while an agent is at work: the gateway lives, and tells what happened when there is space.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { canMount, fill, smallDisk } from "../crash/disks.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openScene, type Answer } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const title = "[B-30] a disk that is full while an agent works ends no gateway (needs root, mount and a sandbox)";

it.skipIf(!canMount || sandbox === "none")(title, async () => {
  const folder = tempFolder("gateway-full-");
  const disk = smallDisk(folder, "40m");
  // After the scene has closed.
  onTestFinished(() => disk[Symbol.dispose]());
  const scene = await openScene({ folder });
  const { id } = (await scene.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
  const session = id as string;
  await scene.ask("POST", `/api/sessions/${session}/message`, { content: "SLOW 1500" });
  const start = await scene.event(session, ({ type }) => type === "tool_start");
  fill(folder);
  await sleep(3_000);
  expect(await scene.ask("GET", "/health")).toMatchObject({ status: 200 });
  const refused = await scene.ask("POST", `/api/sessions/${session}/message`, { content: "more" });
  expect(refused).toMatchObject({ status: 507 });
  rmSync(join(folder, "fill"));
  const end = await scene.event(session, ({ type }) => type === "tool_end");
  expect(end.data).toMatchObject({ toolCallId: start.data["toolCallId"], result: "slow" });
  await scene.event(session, ({ type }) => type === "message_complete", end.seq);
  const events = await scene.gateway.deps.store.events(session, 0, 1_000);
  expect(events.filter(({ type }) => type === "tool_end")).toHaveLength(1);
  const next = await scene.ask("POST", `/api/sessions/${session}/message`, { content: "go on" });
  expect(next.status).toBeLessThan(300);
});
