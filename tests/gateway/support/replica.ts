// One gateway process on a given folder, without an agent. It prints its tokens on one line, and kills itself at a step
// when it is told to: `intent`, `effect`, `result` or `answer` of the first call that it owns.
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { SandboxProvider } from "../../../src/gateway/sandboxes/index.ts";
import { folderSandboxes } from "../../../src/gateway/sandboxes/index.ts";
import { openGateway } from "../../../src/gateway/process/index.ts";
import type { GatewayStore } from "../../../src/gateway/store/index.ts";
import { thisProcess } from "../../../src/platform/system/index.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    die: { type: "string" },
    sessions: { type: "string", multiple: true },
  },
});
const folder = values.folder ?? "";
const dieAt = (step: string): void => {
  if (values.die === step) process.kill(process.pid, "SIGKILL");
};

function mortalBoxes(sandboxes: SandboxProvider): SandboxProvider {
  const wrap = (sandbox: Awaited<ReturnType<SandboxProvider["create"]>>) => ({
    ...sandbox,
    async snapshot(...words: Parameters<typeof sandbox.snapshot>) {
      dieAt("intent");
      const done = await sandbox.snapshot(...words);
      dieAt("effect");
      return done;
    },
  });
  return {
    ...sandboxes,
    create: async (spec) => wrap(await sandboxes.create(spec)),
    async attach(id, own) {
      const sandbox = await sandboxes.attach(id, own);
      return sandbox && wrap(sandbox);
    },
  };
}

const mortalStore = (store: GatewayStore): GatewayStore => ({
  ...store,
  async settle(...words) {
    const done = await store.settle(...words);
    dieAt("result");
    return done;
  },
  async perform(call, effect) {
    const done = await store.perform(call, effect);
    if (effect.kind !== "refused") dieAt("answer");
    return done;
  },
});

/** Where the environment names a database, the gateway keeps everything there but its keys. */
const url = process.env["THEHOOD_REPLICA_DATABASE"];
const openStore =
  url === undefined
    ? undefined
    : async () => {
        const { openSharedGatewayStore } = await import("../../../src/gateway/store/postgres/index.ts");
        return openSharedGatewayStore({ url, cacheDir: join(folder, "cache") }, thisProcess());
      };

const opened = await openGateway({
  folder,
  openStore,
  host: "127.0.0.1",
  port: 0,
  remote: false,
  sandboxes: () => mortalBoxes(folderSandboxes(folder)),
  store: mortalStore,
  endpoints: { anthropic: undefined, litellm: undefined },
  toolCode: () => "",
  version: "test",
  clock: { now: () => Date.now() },
  log: () => undefined,
});
const { gateway } = opened;
const { store } = gateway.deps;
if (!(await store.configuration("c"))) await gateway.addConfiguration({ id: "c", name: "c" }, "test");
const tokens: Record<string, string> = {};
for (const wish of values.sessions ?? []) {
  const [id = "", kind = ""] = wish.split("=");
  const session =
    (await store.session(id)) ??
    (await gateway.sessions.create(
      { id, kind: kind as "setup", configurationId: "c", model: "gpt-5.2", start: true, runId: `r-${id}` },
      "test",
    ));
  tokens[id] = gateway.sandboxToken(session);
}
process.stdout.write(`${JSON.stringify({ url: opened.url, adminToken: opened.adminToken, tokens })}\n`);
process.on("SIGTERM", () => void opened.close().then(() => process.exit(0)));
