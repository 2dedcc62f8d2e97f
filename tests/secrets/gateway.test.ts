// A secret in the texts that a client sends to the gateway: stored nowhere, and not handed to the agent.
import { expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { openScene } from "../gateway/support/scene.ts";
import { canary, holders } from "./canary.ts";

const { kind: sandbox } = await detectSandbox();

it.skipIf(sandbox === "none")("[S-2] [A-31] a secret in a title, a prompt or a message is replaced", async () => {
  const scene = await openScene();
  const said = `use ${canary} please`;
  const made = await scene.ask("POST", "/api/sessions", {
    kind: "scratch",
    title: said,
    systemPrompt: said,
    start: true,
  });
  expect(made).toMatchObject({ status: 201, body: { title: "use ***REDACTED*** please" } });
  const id = made.body.id as string;
  expect(await scene.ask("POST", `/api/sessions/${id}/message`, { content: said })).toMatchObject({ status: 202 });
  const { data } = await scene.event(id, ({ type }) => type === "message");
  expect(data).toMatchObject({ text: "use ***REDACTED*** please" });
  await scene.event(id, ({ type }) => type === "message_complete");
  const told = JSON.stringify([
    await scene.ask("GET", `/api/sessions/${id}`),
    await scene.ask("GET", `/api/sessions/${id}/history`),
    scene.logged,
  ]);
  expect(told).not.toContain(canary);
  expect(holders(scene.folder, canary)).toEqual([]);
});
