// The door of the gateway: bad input gets its documented status, a JSON error and no effect; tokens open what they are for.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { readdirSync } from "node:fs";
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import { openDev, openGateway } from "../../src/gateway/process/index.ts";
import { folderSandboxes } from "../../src/gateway/sandboxes/index.ts";
import { createTokens, createVault } from "../../src/gateway/service/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { send } from "./support/raw.ts";

let dev: Awaited<ReturnType<typeof openDev>>;
const now = () => Date.now();
const logged: object[] = [];

beforeAll(async () => {
  dev = await openDev({
    version: "1.2.3",
    clock: { now },
    log: (entry) => void logged.push(entry),
    port: 0,
    sessions: ["s1=coding", "s2=setup", "a1=automation", "x1=scratch"],
  });
  return () => dev.close();
});

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | null;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}
async function ask({ method = "POST", path, token = dev.adminToken, body, headers = {} }: Asked) {
  const answer = await fetch(`${dev.url}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    json: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}
const tokenOf = (id: string) => dev.output.sessions[id]?.token ?? "";
const tool = (id: string, name: string) => `/proliferate/${id}/tools/${name}`;
const call = (args: unknown = {}, id = "c1") => JSON.stringify({ tool_call_id: id, args });
const count = async () => {
  const { store } = dev.gateway.deps;
  const sessions = await store.sessions();
  const rows = await Promise.all(sessions.map(({ id }) => store.invocations(id)));
  const effects = rows.flat().reduce((sum, one) => sum + one.effects, 0);
  return { sessions: sessions.length, configurations: (await store.configurations()).length, effects };
};

const session = (more: object) => JSON.stringify({ kind: "coding", configurationId: "dev", ...more });
const bad: readonly (readonly [string, () => Asked, number])[] = [
  ["an unknown tool", () => ({ path: tool("s1", "format_disk"), token: tokenOf("s1"), body: call() }), 404],
  [
    "a tool of the sandbox itself",
    () => ({ path: tool("s1", "request_env_variables"), token: tokenOf("s1"), body: call() }),
    404,
  ],
  ["no token", () => ({ path: tool("s1", "verify"), token: null, body: call() }), 401],
  [
    "a wrong token",
    () => ({
      path: tool("s1", "verify"),
      token: ["sandbox", "czE", "1", "9999999999999", "00"].join("."),
      body: call(),
    }),
    401,
  ],
  ["a wrong token for an unknown session", () => ({ path: tool("nobody", "verify"), token: "x", body: call() }), 401],
  ["another session's token", () => ({ path: tool("s1", "verify"), token: tokenOf("s2"), body: call() }), 403],
  ["a user's token", () => ({ path: tool("s1", "verify"), body: call() }), 403],
  ["an unknown session", () => ({ path: tool("nobody", "verify"), token: tokenOf("s1"), body: call() }), 403],
  [
    "an oversized body",
    () => ({ path: tool("s1", "verify"), token: tokenOf("s1"), body: call({ a: "x".repeat(1 << 20) }) }),
    413,
  ],
  ["malformed JSON", () => ({ path: tool("s1", "verify"), token: tokenOf("s1"), body: '{"tool_call_id"' }), 400],
  ["no body", () => ({ path: tool("s1", "verify"), token: tokenOf("s1"), body: "" }), 400],
  ["arguments that are a list", () => ({ path: tool("s1", "verify"), token: tokenOf("s1"), body: call([]) }), 400],
  [
    "a call id with a line break",
    () => ({ path: tool("s1", "verify"), token: tokenOf("s1"), body: call({}, "a\nb") }),
    400,
  ],
  ["GET on a tool", () => ({ method: "GET", path: tool("s1", "verify"), token: tokenOf("s1") }), 405],
  [
    "a path that is badly encoded",
    () => ({ path: "/proliferate/%E0%A4%A/tools/verify", token: tokenOf("s1"), body: call() }),
    400,
  ],
  [
    "a setup tool in a coding session",
    () => ({ path: tool("s1", "save_env_files"), token: tokenOf("s1"), body: call() }),
    403,
  ],
  [
    "completion in a coding session",
    () => ({ path: tool("s1", "automation.complete"), token: tokenOf("s1"), body: call() }),
    403,
  ],
  [
    "completion in a setup session",
    () => ({ path: tool("s2", "automation_complete"), token: tokenOf("s2"), body: call() }),
    403,
  ],
  ["a sandbox at the users' routes", () => ({ method: "GET", path: "/api/sessions", token: tokenOf("s1") }), 403],
  ["an unknown model", () => ({ path: "/api/sessions", body: session({ model: "gpt-99" }) }), 400],
  ["an unknown kind", () => ({ path: "/api/sessions", body: session({ kind: "admin" }) }), 400],
  [
    "an unknown tool in the filter",
    () => ({ path: "/api/sessions", body: session({ agentConfig: { tools: ["rm"] } }) }),
    400,
  ],
  ["an unknown configuration", () => ({ path: "/api/sessions", body: session({ configurationId: "nope" }) }), 404],
  ["no configuration", () => ({ path: "/api/sessions", body: session({ configurationId: null }) }), 400],
  ["an id that is there already", () => ({ path: "/api/sessions", body: session({ id: "s1" }) }), 409],
  ["an id that is a path", () => ({ path: "/api/sessions", body: session({ id: "../s1" }) }), 400],
  ["an unknown session's ledger", () => ({ method: "GET", path: "/api/sessions/nope/tool-invocations" }), 404],
  [
    "a message to a session without an agent",
    () => ({ path: "/api/sessions/s1/message", body: '{"content":"hi"}' }),
    409,
  ],
  [
    "a reserved variable",
    () => ({ path: "/api/sessions/s1/env", body: '{"secrets":[{"key":"LD_PRELOAD","value":"x"}]}' }),
    400,
  ],
  [
    "a reserved secret",
    () => ({ method: "PUT", path: "/api/configurations/dev/secrets/PATH", body: '{"value":"x"}' }),
    400,
  ],
  [
    "no JSON",
    () => ({
      path: "/api/configurations",
      body: "name=x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    415,
  ],
  ["an unknown route", () => ({ method: "GET", path: "/api/nothing" }), 404],
  ["another method", () => ({ method: "DELETE", path: "/api/sessions" }), 405],
  ["an artifact that is a path", () => ({ method: "GET", path: "/api/artifacts/..%2f..%2fkeys" }), 404],
  [
    "a foreign page",
    () => ({ method: "GET", path: "/api/sessions", headers: { origin: "https://evil.example" } }),
    403,
  ],
  ["the model's door with a user's token", () => ({ path: "/models/anthropic/v1/messages", body: "{}" }), 403],
  [
    "a model endpoint that is not set",
    () => ({ path: "/models/anthropic/v1/messages", token: tokenOf("s1"), body: "{}" }),
    503,
  ],
];

describe("bad input", () => {
  it.each(bad)("[A-13][A-16][A-19][A-22][A-42][S-4][S-14] %s", async (_, asked, status) => {
    const before = await count();
    const answer = await ask(asked());
    expect(answer.status).toBe(status);
    expect(answer.json["error"]).toBeTypeOf("string");
    expect(await count()).toEqual(before);
  });

  it("[A-13][A-14] wrong arguments are reported by the handler, and the ledger keeps its message", async () => {
    for (const [id, name, args] of [
      ["s2", "save_service_commands", { commands: [] }],
      [
        "s2",
        "save_env_files",
        {
          files: [
            {
              path: "/thehood-nowhere/.env",
              format: "dotenv",
              mode: "secret",
              keys: [{ key: "A", required: true }],
            },
          ],
        },
      ],
      ["a1", "automation_complete", { run_id: "r", completion_id: "c", outcome: "maybe" }],
      ["s1", "verify", { folder: "../../.ssh" }],
    ] as const) {
      const answer = await ask({
        path: tool(id, name),
        token: tokenOf(id),
        body: call(args, `wrong-${name}`),
      });
      expect(answer).toMatchObject({
        status: 200,
        json: { success: false, result: expect.stringMatching(/^Invalid arguments: /) as string },
      });
      const row = (await dev.gateway.deps.store.invocations(id)).find(({ callId }) => callId === `wrong-${name}`);
      expect(row).toMatchObject({ outcome: "failed", effects: 0 });
    }
  });

  it("[A-45] a tool that the session's filter leaves out is refused", async () => {
    const body = session({ id: "filtered", agentConfig: { tools: ["verify"] }, start: true });
    expect((await ask({ path: "/api/sessions", body })).status).toBe(201);
    const { json } = await ask({ path: "/api/sessions/filtered/token" });
    const token = String(json["token"]);
    expect((await ask({ path: tool("filtered", "save_snapshot"), token, body: call() })).status).toBe(403);
    expect((await ask({ path: tool("filtered", "verify"), token, body: call() })).status).toBe(200);
  });

  it("[A-29] a value is stored encrypted, and no answer has it", async () => {
    const value = "sup3r-s3cret-v4lue-42";
    await ask({
      path: "/api/sessions/s1/env",
      body: JSON.stringify({
        secrets: [
          { key: "KEPT", value },
          { key: "DROPPED", value, persist: false },
        ],
        saveToConfiguration: true,
      }),
    });
    const listed = await ask({ method: "GET", path: "/api/configurations/dev/secrets" });
    expect(listed.json["secrets"]).toMatchObject([
      { key: "KEPT", keyId: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
    ]);
    expect(listed.text).not.toContain(value);
    const [sealed] = await dev.gateway.deps.store.secrets("dev");
    expect(JSON.stringify(sealed)).not.toContain(value);
    expect(sealed && dev.gateway.deps.vault.open(sealed)).toBe(value);
    expect(JSON.stringify(logged)).not.toContain(value);
  });
});

describe("tokens and keys", () => {
  const key = Buffer.alloc(32, 7);
  it("[A-16] a token of an earlier sandbox, an ended one and an altered one open nothing", async () => {
    const tokens = createTokens(key);
    const claims = { kind: "sandbox", subject: "s1", generation: 3, expiresAt: 1000 } as const;
    const token = tokens.mint(claims);
    expect(tokens.read(token, 999)).toEqual(claims);
    expect(tokens.read(token, 1000)).toBeUndefined();
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "1" ? "2" : "1";
      expect(tokens.read(token.slice(0, at) + other + token.slice(at + 1), 1)).toBeUndefined();
    }
    expect(createTokens(Buffer.alloc(32, 8)).read(token, 1)).toBeUndefined();
    const old = tokenOf("x1");
    const { store } = dev.gateway.deps;
    const asked = { path: tool("x1", "verify"), token: old };
    expect((await ask({ ...asked, body: call({}, "while it runs") })).status).toBe(200);
    const { status: before = "running" } = (await store.session("x1")) ?? {};
    for (const status of ["stopped", "failed"] as const) {
      await store.changeSession("x1", { status });
      expect((await ask({ ...asked, body: call({}, status) })).status, status).toBe(403);
    }
    await store.changeSession("x1", { status: before });
    await dev.gateway.deps.store.changeSession("x1", { generation: 2 });
    expect((await ask({ path: tool("x1", "verify"), token: old, body: call() })).status).toBe(403);
  });

  it("[A-29] a sealed value belongs to its configuration and its name, and an old key still opens it", () => {
    const vault = createVault([key]);
    const sealed = vault.seal("c1", "A", "", 0);
    expect(vault.open(sealed)).toBe("");
    const value = vault.seal("c1", "A", "hello", 0);
    for (const change of [{ configurationId: "c2" }, { key: "B" }, { tag: "00".repeat(16) }, { iv: "00".repeat(12) }])
      expect(() => vault.open({ ...value, ...change })).toThrow(/altered/);
    const rotated = createVault([Buffer.alloc(32, 9), key]);
    expect(rotated.open(value)).toBe("hello");
    expect(() => createVault([Buffer.alloc(32, 9)]).open(value)).toThrow(/missing/);
  });

  it("a service's token reads and makes sessions, and makes no tokens", async () => {
    const { json } = await ask({ path: "/api/tokens", body: '{"kind":"service","name":"ci"}' });
    const token = String(json["token"]);
    expect((await ask({ method: "GET", path: "/api/sessions", token })).status).toBe(200);
    expect((await ask({ path: "/api/tokens", token, body: '{"kind":"user","name":"x"}' })).status).toBe(403);
    expect((await ask({ path: "/api/sessions/s1/token", token })).status).toBe(403);
  });

  it("[S-14] another address than loopback needs the word of a person", async () => {
    const folder = tempFolder("gateway-remote-");
    await expect(
      openGateway({
        folder,
        host: "0.0.0.0",
        port: 0,
        remote: false,
        sandboxes: () => folderSandboxes(folder),
        endpoints: { anthropic: undefined, litellm: undefined },
        toolCode: () => "",
        version: "",
        clock: { now },
        log: () => undefined,
      }),
    ).rejects.toThrow(/not loopback/);
  });
});

describe("the rest of the door", () => {
  it("health and the OpenAPI document are open, metrics are not", async () => {
    expect(await ask({ method: "GET", path: "/health", token: null })).toMatchObject({
      status: 200,
      json: { ok: true, version: "1.2.3" },
    });
    const { json } = await ask({ method: "GET", path: "/openapi.json", token: null });
    const paths = json["paths"] as Record<string, { post?: { requestBody?: object } }>;
    expect(paths["/proliferate/{sessionId}/tools/{toolName}"]?.post?.requestBody).toBeDefined();
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/api/sessions", "/api/sessions/{id}/tool-invocations"]),
    );
    expect((await ask({ method: "GET", path: "/metrics", token: null })).status).toBe(401);
    const metrics = await ask({ method: "GET", path: "/metrics" });
    expect(metrics.text).toMatch(/^thehood_gateway_tool_calls_active 0$/m);
    expect(metrics.text).toMatch(/^thehood_gateway_tool_calls_total\{tool="verify",outcome="succeeded"\} \d+$/m);
  });

  it("[S-14] a name that is bound to this machine is no way in", async () => {
    const answer = await send(dev.port, {
      method: "GET",
      path: "/health",
      headers: [["Host", `rebind.example:${dev.port}`]],
    });
    expect(answer?.status).toBe(403);
  });

  it("the program prints one line for programs, and leaves nothing behind", async () => {
    const program = join(import.meta.dirname, "../../bin/thehood.js");
    const words = ["gateway", "dev", "--json", "--session", "s1=coding", "--session", "s2=setup"];
    const temporary = tempFolder("gateway-tmp-");
    const child = spawn(process.execPath, [program, ...words], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, TMPDIR: temporary },
    });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once("data", (data: Buffer) => resolve(String(data))),
    );
    const output = JSON.parse(line) as typeof dev.output;
    expect(Object.keys(output)).toEqual(["url", "adminToken", "sessions"]);
    const answer = await fetch(`${output.url}/api/sessions/s2/tool-invocations`, {
      headers: { authorization: `Bearer ${output.adminToken}` },
    });
    expect(await answer.json()).toEqual({ invocations: [] });
    expect(Object.keys(output.sessions)).toEqual(["s1", "s2"]);
    child.kill("SIGINT");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(readdirSync(temporary).filter((name) => name.includes("gateway"))).toEqual([]);
  });
});
