// Connected integrations: the program `proliferate` in a sandbox, the rules of risk, the user's decision, and exactly once.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { outsideRequest, type Integration } from "../../src/gateway/rules/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { openScene, type Answer } from "./support/scene.ts";

const { kind: sandbox } = await detectSandbox();
const confined = it.skipIf(sandbox === "none");

const actions = [
  { id: "list", description: "open tickets", risk: "read", method: "GET", path: "/tickets" },
  { id: "close", description: "close one", risk: "write", method: "POST", path: "/tickets/{id}/close" },
  { id: "wipe", description: "delete all", risk: "danger", method: "DELETE", path: "/tickets" },
] as const;
const key = "t1ckets-key-27182818";

async function opened() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.end(JSON.stringify({ ok: true, echo: request.headers.authorization }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const scene = await openScene();
  const { id } = (await scene.ask("POST", "/api/sessions", { kind: "scratch", start: true })).body as Answer;
  const { token } = (await scene.ask("POST", `/api/sessions/${id}/token`)).body as Answer;
  const connect = () => {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const headers = { Authorization: "Bearer ${TICKETS_KEY}" };
    const integrations = [{ id: "tickets", name: "Tickets", guide: "Close what is done.", baseUrl, headers, actions }];
    writeFileSync(join(scene.folder, "integrations.json"), JSON.stringify({ integrations }));
  };
  const at = (path: string) => `/proliferate/${id as string}/actions/${path}`;
  const invoke = (body: object) => scene.ask("POST", at("invoke"), body, token as string);
  return { scene, id: id as string, token: token as string, seen, connect, at, invoke };
}

describe("[A-48] actions of connected integrations", () => {
  confined("with nothing connected the program in the sandbox says so, and takes no other session", async () => {
    const { scene, id } = await opened();
    const run = (words: string) => scene.shell(id, `{ /home/user/.proliferate/bin/proliferate ${words}; } 2>&1`);
    expect(await run("actions list")).toMatch(/No integration is connected[\s\S]*"integrations":\[\]/);
    expect(await run("actions run --integration tickets --action list || echo code $?")).toMatch(
      /The integration tickets is not connected[\s\S]*code 1/,
    );
    expect(await run("|| echo code $?")).toMatch(/Usage: proliferate actions[\s\S]*code 2/);
    expect(await run("run --help && echo code $?")).toMatch(/^Usage: proliferate actions[\s\S]*code 0/);
    expect(await scene.shell(id, "cat .proliferate/actions-guide.md .opencode/instructions.md")).toContain(
      "proliferate actions list",
    );
    // The agent finds it by its name.
    const last = (await scene.gateway.deps.store.events(id, 0, 1000)).at(-1)?.seq ?? 0;
    await scene.ask("POST", `/api/sessions/${id}/message`, {
      content: "RUN proliferate actions list > /tmp/listed 2>/dev/null",
    });
    await scene.event(id, ({ type }) => type === "message_complete", last);
    expect(await scene.shell(id, "cat /tmp/listed")).toBe('{"integrations":[]}\n');
  });

  confined("a read happens at once and once, without the key in the sandbox, the events or the answer", async () => {
    const { scene, id, seen, connect, invoke, at } = await opened();
    connect();
    const run = (words: string) => scene.shell(id, `{ /home/user/.proliferate/bin/proliferate ${words}; } 2>&1`);
    expect(await run("actions run --integration tickets --action list || true")).toContain(
      "has not stored TICKETS_KEY",
    );
    const stored = await scene.ask("PUT", "/api/configurations/integration:tickets/secrets/TICKETS_KEY", {
      value: key,
    });
    expect(stored).toMatchObject({ status: 200 });
    expect(await run("actions guide --integration tickets")).toContain("Close what is done.");
    const told = await run(`actions run --integration tickets --action list --params '{"state":"open & new"}' --id r1`);
    expect(JSON.parse(told)).toEqual({ ok: true, echo: "Bearer ***REDACTED***" });
    expect(seen).toEqual([`GET /v1/tickets?state=open%20%26%20new Bearer ${key} `]);
    const again = { tool_call_id: "r1", integration: "tickets", action: "list", params: { state: "open & new" } };
    expect(await invoke(again)).toMatchObject({ status: 200, body: { invocation: { status: "completed" } } });
    expect(await invoke({ ...again, params: {} })).toMatchObject({ status: 409 });
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(await scene.gateway.deps.store.events(id, 0, 1000))).not.toContain(key);
    expect(await scene.shell(id, "env; cat /tmp/.proliferate_env.json 2>/dev/null || true")).not.toContain(key);
    expect(await scene.ask("POST", at("invoke"), again)).toMatchObject({ status: 403 });
  });

  confined("a write waits for the user, a denied one never happens, and a dangerous one is refused", async () => {
    const { scene, token, seen, connect, invoke, at } = await opened();
    connect();
    await scene.ask("PUT", "/api/configurations/integration:tickets/secrets/TICKETS_KEY", { value: key });
    const close = (id: string) =>
      invoke({ tool_call_id: id, integration: "tickets", action: "close", params: { id: "../7" } });
    expect(await close("w1")).toMatchObject({ status: 202, body: { invocation: { id: "w1", status: "pending" } } });
    expect(await close("w1")).toMatchObject({ status: 202 });
    expect(seen).toEqual([]);
    expect(await scene.ask("POST", at("invocations/w1/approve"), {}, token)).toMatchObject({ status: 403 });
    expect((await scene.ask("GET", at("invocations"))).body.invocations).toMatchObject([{ id: "w1", action: "close" }]);
    expect(await scene.ask("POST", at("invocations/w1/approve"))).toMatchObject({ status: 200 });
    expect(seen).toEqual([`POST /v1/tickets/%2E%2E%2F7/close Bearer ${key} {}`]);
    expect((await scene.ask("GET", at("invocations/w1"), undefined, token)).body.invocation).toMatchObject({
      status: "completed",
      result: { ok: true },
    });
    expect(await scene.ask("POST", at("invocations/w1/approve"))).toMatchObject({ status: 404 });
    await close("w2");
    expect(await scene.ask("POST", at("invocations/w2/deny"))).toMatchObject({ status: 200 });
    expect(await close("w2")).toMatchObject({ status: 422, body: { error: "The user denied this action." } });
    expect(await invoke({ integration: "tickets", action: "wipe" })).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(1);
    for (let at2 = 0; at2 < 10; at2 += 1) await close(`many${at2}`);
    expect(await close("many10")).toMatchObject({ status: 429 });
    const files = { files: [{ nonsense: true }] };
    writeFileSync(join(scene.folder, "integrations.json"), JSON.stringify(files));
    expect(await scene.ask("GET", at("available"), undefined, token)).toMatchObject({ status: 400 });
  });

  it("no parameter leads to another path, host or header", () => {
    const integration = { id: "x", name: "x", guide: "", baseUrl: "https://api.test/v1", headers: {}, actions: [] };
    const action = { id: "a", description: "", risk: "read", method: "GET", path: "/a/{id}/b" } as const;
    const url = (id: unknown) => outsideRequest(integration as Integration, action, { id }, {});
    expect(url("../../admin?x=1#y@evil")).toMatchObject({
      url: "https://api.test/v1/a/%2E%2E%2F%2E%2E%2Fadmin%3Fx%3D1%23y%40evil/b",
    });
    expect(url(undefined)).toEqual({ missing: "id" });
    expect(url({ a: 1 })).toEqual({ missing: "id" });
  });
});
