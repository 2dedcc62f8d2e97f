// A secret in the texts that a client sends to the gateway: stored nowhere, and not handed to the agent.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { bin } from "../cli/program.ts";
import { openScene } from "../gateway/support/scene.ts";
import { recordRequests } from "../support/recording-proxy.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { canary, holders } from "./canary.ts";

const { kind: sandbox } = await detectSandbox();

const confined = it.skipIf(sandbox === "none");

confined("[B-28] [S-2] [A-31] a secret in a title, a prompt or a message is replaced", async () => {
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

confined("[B-28] a secret in a command for a session reaches no server, no store and no output", async () => {
  const scene = await openScene();
  const received = await recordRequests(scene.url);
  const home = tempFolder("gateway-home-");
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    NO_COLOR: "1",
    THEHOOD_GATEWAY_URL: received.url,
    THEHOOD_GATEWAY_TOKEN: scene.adminToken,
  };
  const outputs: string[] = [];
  const thehood = async (...words: string[]) => {
    const child = spawn(process.execPath, [bin, "gateway", ...words], { cwd: home, env, stdio: "pipe" });
    const at = outputs.length;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => outputs.push(chunk.toString("utf8")));
    child.stdin.end();
    const code = await new Promise((resolve) => child.once("close", resolve));
    return { code, text: outputs.slice(at).join("") };
  };
  const said = `use ${canary} please`;
  const made = await thehood("new", "--kind", "scratch", "--title", said, "--message", said, "--json");
  const id = /"sessionId": ?"([^"]+)"/.exec(made.text)?.[1] ?? expect.fail(made.text);
  expect(await thehood("send", id, said, "--wait")).toMatchObject({ code: 0 });
  writeFileSync(join(home, "task.md"), said);
  expect(await thehood("send", id, "--file", "task.md", "--wait")).toMatchObject({ code: 0 });
  expect(await thehood("answer", id, "PORT=8080", "--message", said)).toMatchObject({ code: 0 });
  expect(await thehood("snapshots", id, "--save", said)).toMatchObject({ code: 0 });
  for (const words of [
    ["send", canary, "hi"],
    ["answer", id, "--stored", canary],
    ["snapshots", id, "--restore", canary],
  ])
    expect(await thehood(...words)).toMatchObject({ code: 2 });
  await thehood("logs", id);
  await thehood("session", id, "--json");
  expect(JSON.stringify(received.seen)).toContain("use ***REDACTED*** please");
  expect([...outputs, JSON.stringify([received.seen, scene.logged])].join("\n")).not.toContain(canary);
  expect([...holders(scene.folder, canary), ...holders(join(home, ".local"), canary)]).toEqual([]);
});
