// The client's side of the public agent contract: a client that knows only its names works with this gateway.
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { publicEvent, publicSessionRequest } from "../../src/gateway/rules/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { openScene, type Answer, type Scene } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");

const post = (scene: Scene, path: string, body: object, key?: string) =>
  fetch(`${scene.url}/proliferate/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${scene.adminToken}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Answer }));

describe("[A-49] the names of the public contract", () => {
  it.each([
    [{ session_type: "setup", client_type: "automation", configuration_id: "c" }, "setup"],
    [{ sessionType: "coding", clientType: "automation", configurationId: "c" }, "automation"],
    [{ sessionType: "coding", clientType: "web", prebuildId: "c", organizationId: "o" }, "coding"],
    [{ session_type: "setup" }, "scratch"],
  ])("%j is a session of the kind %s", (asked, kind) => {
    expect(publicSessionRequest.parse(asked)).toMatchObject({ kind, start: true });
  });

  it("an unknown type is refused, a deferred session does not start", () => {
    expect(publicSessionRequest.safeParse({ session_type: "other" }).success).toBe(false);
    expect(publicSessionRequest.parse({ sandbox_mode: "deferred", system_prompt: "mine" })).toMatchObject({
      start: false,
      systemPrompt: "mine",
    });
  });

  it("the agent's own busy and idle are no status of the contract", () => {
    const event = (type: string, data: Record<string, unknown>) => publicEvent({ seq: 1, at: 0, type, data });
    expect(event("status", { status: "busy" })).toBeUndefined();
    expect(event("status", { status: "failed", message: "why" })).toEqual({
      type: "status",
      payload: { status: "error", message: "why" },
    });
    expect(event("env_submitted", { keys: [] })).toBeUndefined();
    expect(event("message", { role: "assistant", text: "x", messageId: "m", partId: "p" })).toEqual({
      type: "text_part_complete",
      payload: { messageId: "m", partId: "p", text: "x" },
    });
  });

  confined("make a session once, send a message once, submit variables, and read status and evidence", async () => {
    const scene = await openScene();
    const { id: configurationId } = (await scene.ask("POST", "/api/configurations", { name: "shop" })).body as Answer;
    const asked = { session_type: "coding", client_type: "web", configuration_id: configurationId as string };
    const made = await post(scene, "sessions", asked, "k1");
    expect(made).toMatchObject({ status: 201, body: { status: "running", configurationId, hasSnapshot: false } });
    const id = made.body.sessionId as string;
    expect((await post(scene, "sessions", asked, "k1")).body.sessionId).toBe(id);
    expect(await post(scene, "sessions", { ...asked, session_type: "setup" }, "k1")).toMatchObject({ status: 409 });
    expect((await scene.ask("GET", "/api/sessions")).body.sessions).toHaveLength(1);
    expect((await scene.ask("GET", `/proliferate/sessions/${id}/status`)).body).toEqual({
      state: "running",
      status: "running",
    });
    expect((await scene.ask("GET", `/proliferate/${id}`)).body).toMatchObject({ sessionId: id, sandboxId: `${id}.1` });

    const said = { type: "prompt", content: "hello once", userId: "somebody" };
    for (let times = 0; times < 3; times += 1)
      expect(await post(scene, `${id}/message`, said, "m1")).toMatchObject({ status: 200, body: { ok: true } });
    expect(await post(scene, `${id}/message`, { ...said, content: "other" }, "m1")).toMatchObject({ status: 409 });
    expect(await post(scene, `${id}/message`, { ...said, images: ["data:x"] })).toMatchObject({ status: 400 });
    const events = await scene.gateway.deps.store.events(id, 0, 1000);
    expect(events.filter(({ data }) => data["role"] === "user")).toHaveLength(1);

    const env = await post(scene, `${id}/env`, { secrets: [], envVars: [{ key: "A", value: "1" }] });
    expect(env).toMatchObject({ status: 200, body: { submitted: true } });
    await scene.shell(id, "mkdir -p .proliferate/.verification; echo green > .proliferate/.verification/a.txt");
    const { token } = (await scene.ask("POST", `/api/sessions/${id}/token`)).body as Answer;
    const verified = await scene.ask(
      "POST",
      `/proliferate/${id}/tools/verify`,
      { tool_call_id: "v", args: {} },
      token as string,
    );
    const { key } = JSON.parse(verified.body.result as string) as { key: string };
    const listed = await scene.ask("GET", `/proliferate/${id}/verification-media?prefix=${key}`);
    expect(listed.body.files).toMatchObject([{ key: `${key}/a.txt`, contentType: "text/plain", size: 6 }]);
    const file = await scene.ask("GET", `/proliferate/${id}/verification-media?key=${key}/a.txt`);
    expect(Buffer.from(file.body.base64 as string, "base64").toString("utf8")).toBe("green\n");
    expect(await post(scene, `${id}/heartbeat`, {})).toMatchObject({ body: { ok: true, status: "running" } });
    // A sandbox has its tools and actions here, and nothing else.
    expect(await scene.ask("POST", `/proliferate/${id}/message`, said, token as string)).toMatchObject({ status: 403 });
    expect(await scene.ask("GET", `/proliferate/${id}`, undefined, token as string)).toMatchObject({ status: 403 });
  });

  confined("the WebSocket tells the messages so far, then each event by its public name", async () => {
    const scene = await openScene();
    const { body } = await post(scene, "sessions", { client_type: "web", initial_prompt: "first words" });
    const id = body.sessionId as string;
    await scene.event(id, ({ type }) => type === "message_complete");
    const socket = new WebSocket(`${scene.url.replace("http", "ws")}/proliferate/${id}`, {
      headers: { authorization: `Bearer ${scene.adminToken}` },
    });
    const heard: { type: string; payload: Answer }[] = [];
    socket.on("message", (data) => void heard.push(JSON.parse(String(data)) as { type: string; payload: Answer }));
    const until = async (type: string) =>
      await expect.poll(() => heard.map((one) => one.type), { timeout: 60_000 }).toContain(type);
    await until("init");
    expect(heard[0]).toMatchObject({ type: "status", payload: { status: "running" } });
    expect(heard[1]?.payload.messages).toMatchObject([
      { role: "user", content: "first words" },
      { role: "assistant", content: "first words" },
    ]);
    socket.send(JSON.stringify({ type: "ping" }));
    await until("pong");
    socket.send(JSON.stringify({ type: "prompt", content: 'CALL verify {"folder":"none"}' }));
    await until("message_complete");
    expect(heard.map((one) => one.type)).toEqual(
      expect.arrayContaining(["message", "tool_start", "tool_end", "token", "text_part_complete"]),
    );
    socket.send(JSON.stringify({ type: "save_snapshot", message: "mine" }));
    await until("snapshot_result");
    expect(heard.at(-1)?.payload).toMatchObject({ success: true, target: "session" });
    socket.send(JSON.stringify({ type: "git_push" }));
    await until("error");
    socket.close();
    await scene.ask("POST", `/api/sessions/${id}/stop`);
    expect((await scene.ask("GET", `/proliferate/sessions/${id}/status`)).body).toMatchObject({ state: "terminated" });
  });
});
