// The person's side of a session: requested values, evidence as files, saved states and the way back to one.
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDev } from "../../src/gateway/process/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { openScene, type Answer, type Scene } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");

async function start(scene: Scene, kind: string, more: object = {}): Promise<{ id: string; configurationId: string }> {
  const made = (await scene.ask("POST", "/api/configurations", { name: "shop" })).body as Answer;
  const asked = { kind, configurationId: made.id as string, start: true, ...more };
  const session = await scene.ask("POST", "/api/sessions", asked);
  expect(session).toMatchObject({ status: 201, body: { status: "running" } });
  return session.body as { id: string; configurationId: string };
}

async function call(scene: Scene, id: string, tool: string, args: object): Promise<Answer> {
  const last = (await scene.gateway.deps.store.events(id, 0, 10_000)).at(-1)?.seq ?? 0;
  await scene.ask("POST", `/api/sessions/${id}/message`, { content: `CALL ${tool} ${JSON.stringify(args)}` });
  const end = await scene.event(id, ({ type }) => type === "tool_end", last);
  await scene.event(id, ({ type }) => type === "message_complete", last);
  return end.data["result"] as string;
}

const requested = async (scene: Scene, id: string): Promise<string[]> =>
  ((await scene.ask("GET", `/api/sessions/${id}`)).body.requested as { key: string }[]).map(({ key }) => key);

describe("a person and a session", () => {
  confined(
    "[A-12][A-28] a session shows which values its agent waits for, until the required ones are submitted",
    async () => {
      const scene = await openScene();
      const { id, configurationId } = await start(scene, "coding");
      expect(await requested(scene, id)).toEqual([]);
      const keys = [
        { key: "SHOP_KEY", description: "of the shop", type: "secret" },
        { key: "PORT", type: "env" },
        { key: "MAIL", required: false },
      ];
      await call(scene, id, "request_env_variables", { keys });
      expect(await requested(scene, id)).toEqual(["SHOP_KEY", "PORT", "MAIL"]);
      const listed = (await scene.ask("GET", "/api/sessions")).body.sessions as { requested: unknown[] }[];
      expect(listed[0]?.requested[0]).toMatchObject({ key: "SHOP_KEY", description: "of the shop" });

      await scene.ask("POST", `/api/sessions/${id}/env`, { envVars: [{ key: "PORT", value: "8080" }] });
      expect(await requested(scene, id)).toEqual(["SHOP_KEY", "MAIL"]);
      const unknown = await scene.ask("POST", `/api/sessions/${id}/env`, { stored: ["SHOP_KEY"] });
      expect(unknown).toMatchObject({ status: 404 });
      const value = "from-the-vault-0123456789";
      await scene.ask("PUT", `/api/configurations/${configurationId}/secrets/SHOP_KEY`, { value });
      expect(await scene.ask("POST", `/api/sessions/${id}/env`, { stored: ["SHOP_KEY"] })).toMatchObject({
        status: 200,
      });
      expect(await requested(scene, id)).toEqual([]);
      expect(await scene.shell(id, "cat /tmp/.proliferate_env.json")).toContain(value);
      const events = await scene.gateway.deps.store.events(id, 0, 10_000);
      expect(events.filter(({ type }) => type === "env_submitted").map(({ data }) => data["keys"])).toEqual([
        ["PORT"],
        ["SHOP_KEY"],
      ]);
      expect(JSON.stringify(events)).not.toContain(value);

      await call(scene, id, "request_env_variables", { keys: [{ key: "MORE" }] });
      expect(await requested(scene, id)).toEqual(["MORE"]);
      await scene.ask("POST", `/api/sessions/${id}/env/decline`);
      expect(await requested(scene, id)).toEqual([]);
    },
  );

  confined("[A-7][A-47] evidence of a session is only its own, also in a session from a snapshot", async () => {
    const scene = await openScene();
    const { id, configurationId } = await start(scene, "setup");
    const put = (to: string, folder: string, text: string) =>
      scene.shell(to, `mkdir -p ${folder} && printf '${text}' > ${folder}/log.txt`);
    await put(id, ".proliferate/.verification", "setup works");
    await put(id, "reports", "setup report");
    expect(JSON.parse(await call(scene, id, "verify", {}))).toMatchObject({ data: { uploadedCount: 1 } });
    expect(JSON.parse(await call(scene, id, "save_snapshot", {}))).toMatchObject({ success: true });

    const coding = (await start(scene, "coding", { configurationId })).id;
    expect(await scene.shell(coding, "cat reports/log.txt")).toBe("setup report");
    expect(JSON.parse(await call(scene, coding, "verify", {}))).toMatchObject({
      success: true,
      data: { uploadedCount: 0 },
    });
    expect(JSON.parse(await call(scene, coding, "verify", { folder: "reports" }))).toMatchObject({
      data: { uploadedCount: 0 },
      result: expect.stringContaining("older than this session") as string,
    });
    await put(coding, "reports", "coding report");
    expect(JSON.parse(await call(scene, coding, "verify", { folder: "reports" }))).toMatchObject({
      data: { uploadedCount: 1 },
    });
    const { evidence } = (await scene.ask("GET", `/api/sessions/${coding}/evidence`)).body as Answer;
    expect(evidence).toMatchObject([{ folder: "reports", files: [{ path: "log.txt", mediaType: "text/plain" }] }]);
    const { ref } = evidence[0].files[0] as { ref: string };
    const file = await scene.ask("GET", `/api/sessions/${coding}/evidence/${encodeURIComponent(ref)}`);
    expect(Buffer.from(file.body.base64 as string, "base64").toString("utf8")).toBe("coding report");
    expect(await scene.ask("GET", `/api/sessions/${id}/evidence/${encodeURIComponent(ref)}`)).toMatchObject({
      status: 404,
    });

    // The session's own snapshot keeps the session's own evidence.
    await put(coding, ".proliferate/.verification", "mine");
    const saved = (await scene.ask("POST", `/api/sessions/${coding}/snapshots`, { message: "mine" })).body as Answer;
    await scene.ask("POST", `/api/sessions/${coding}/restore`, { snapshotId: saved.snapshotId });
    expect(JSON.parse(await call(scene, coding, "verify", {}))).toMatchObject({ data: { uploadedCount: 1 } });
  });

  confined("[A-8] a person saves a state, goes back to it, and the state between is not lost", async () => {
    const scene = await openScene();
    const { id } = await start(scene, "coding");
    await scene.shell(id, "echo one > note.txt");
    const one = (await scene.ask("POST", `/api/sessions/${id}/snapshots`, { message: "one" })).body as Answer;
    expect(one).toMatchObject({ target: "session" });
    await scene.shell(id, "echo two > note.txt");
    const back = await scene.ask("POST", `/api/sessions/${id}/restore`, { snapshotId: one.snapshotId });
    expect(back).toMatchObject({ status: 200, body: { session: { status: "running" }, snapshotId: one.snapshotId } });
    expect(await scene.shell(id, "cat note.txt")).toBe("one\n");
    const { snapshots } = (await scene.ask("GET", `/api/sessions/${id}/snapshots`)).body as Answer;
    expect(snapshots).toMatchObject([
      { id: back.body.before, current: false, state: "ready" },
      { id: one.snapshotId, current: true, message: "one" },
    ]);
    await scene.ask("POST", `/api/sessions/${id}/restore`, { snapshotId: back.body.before as string });
    expect(await scene.shell(id, "cat note.txt")).toBe("two\n");
    const other = await start(scene, "coding");
    expect(await scene.ask("POST", `/api/sessions/${other.id}/restore`, { snapshotId: one.snapshotId })).toMatchObject({
      status: 404,
    });
  });

  confined("[A-8] going back in a setup session leaves the snapshot of its configuration as it is", async () => {
    const scene = await openScene();
    const { id, configurationId } = await start(scene, "setup");
    const one = (await scene.ask("POST", `/api/sessions/${id}/snapshots`, {})).body as Answer;
    expect(one).toMatchObject({ target: "configuration" });
    const back = await scene.ask("POST", `/api/sessions/${id}/restore`, { snapshotId: one.snapshotId });
    expect(back.body.before).toMatch(/^snap_/);
    expect((await scene.ask("GET", `/api/configurations/${configurationId}`)).body.snapshotId).toBe(one.snapshotId);
  });
});

it("[A-15] a client that writes its whole body before it reads still gets 413", async () => {
  const dev = await openDev({
    version: "1",
    clock: { now: () => Date.now() },
    log: () => undefined,
    port: 0,
    sessions: ["s1=coding"],
  });
  onTestFinished(() => dev.close());
  const bytes = 40 << 20;
  for (const [name, framing] of [
    ["length", `Content-Length: ${bytes}`],
    ["chunks", "Transfer-Encoding: chunked"],
  ]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(dev.port, "127.0.0.1");
      socket.on("error", reject).pause();
      socket.write(
        `POST /proliferate/s1/tools/verify HTTP/1.1\r\nHost: 127.0.0.1:${dev.port}\r\nAuthorization: Bearer ${dev.output.sessions["s1"]?.token}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      const body = "x".repeat(bytes);
      const framed = name === "length" ? body : `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      socket.write(framed, () => {
        socket.once("data", (chunk: Buffer) => {
          resolve(chunk.toString("utf8"));
          socket.destroy();
        });
        socket.resume();
      });
    });
    expect(answer.split("\r\n", 1)[0]).toBe("HTTP/1.1 413 Payload Too Large");
  }
});
