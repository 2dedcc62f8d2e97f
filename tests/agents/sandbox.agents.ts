// The provider `opencode-sandbox` with the real OpenCode: it joins the provider conformance suite, and it is the worker of
// a whole run through the real `thehood` program and a real `thehood gateway`.
import { chmodSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { localSandboxes } from "../../src/gateway/sandboxes/local/provider.ts";
import { gatewayClient } from "../../src/gateway/client.ts";
import { actionsCode, openGateway, toolCode, initProgram } from "../../src/gateway/process/index.ts";
import { createSandboxRole } from "../../src/agents/sandbox/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { clock } from "../../src/platform/system/index.ts";
import {
  providerConformance,
  titleOf,
  type Cannot,
  type Scene,
  type SceneMaker,
} from "../support/conformance/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openAgentDesk, until } from "./governed.ts";
import { installed, missing, titled } from "./installed.ts";
import { messages, serveModel, type Part } from "./models/index.ts";
import { claudeScripted } from "./scripted.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;

interface Playing {
  readonly part: Part;
  /** Another program in the place of OpenCode. */
  readonly program?: string;
  /** The agent is killed as soon as its model was asked. */
  readonly killed?: boolean;
}

/** A gateway of its own for each call, with a model on loopback behind it. */
async function openSandboxScene({ part, program, killed = false }: Playing): Promise<Scene> {
  const found = installed("opencode");
  const opencode = program ?? realpathSync("path" in found ? found.path : "");
  const server = await serveModel(messages, () => part);
  const folder = tempFolder("sandbox-suite-");
  const opened = await openGateway({
    folder,
    host: "127.0.0.1",
    port: 0,
    remote: false,
    sandboxes: (accept) =>
      localSandboxes({
        folder,
        path,
        init: initProgram(),
        node: process.execPath,
        opencode,
        accept,
        hosts: [],
      }),
    endpoints: { anthropic: { url: `${server.url}/v1`, key: "scripted-key" }, litellm: undefined },
    toolCode,
    actionsCode,
    version: "test",
    clock,
    log: () => undefined,
    limits: { readinessMs: program === undefined ? 120_000 : 3_000 },
  });
  const { sessions, deps } = opened.gateway;
  const active = () => deps.store.activeSessions();
  const killAgents = async (): Promise<void> => {
    await server.reached();
    for (const session of await active())
      await (await sessions.sandbox(session)).exec(["sh", "-c", "kill -9 $(pidof opencode)"], { cwd: "/" });
  };
  if (killed) void killAgents();
  const gateway = async () => gatewayClient({ folder, url: opened.url, token: opened.adminToken });
  return {
    provider: createSandboxRole({ aliases: {}, gateway }),
    model: "claude-sonnet-4.6",
    reached: () => server.reached(),
    asked: () => server.seen.length,
    leftRunning: async () => (await active()).map(({ id }) => id),
    async close() {
      for (const { id } of await active()) await sessions.stop(id);
      await opened.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const playing =
  (part: Part, more: Omit<Playing, "part"> = {}): SceneMaker =>
  () =>
    openSandboxScene({ part, ...more });

function broken(): string {
  const program = join(tempFolder("sandbox-broken-"), "opencode");
  writeFileSync(program, "#!/bin/sh\nexit 3\n");
  chmodSync(program, 0o755);
  return program;
}

const absent: SceneMaker = () => ({
  provider: createSandboxRole({
    aliases: {},
    gateway: async () => gatewayClient({ folder: tempFolder("no-gateway-") }),
  }),
  model: "claude-sonnet-4.6",
});
const noLogin: Cannot = { cannot: "keys belong to the gateway; a model that refuses them is a failed call" };
const countingTo = (end: number) => Array.from({ length: end }, (_, at) => at).join(" ");

describe.skipIf(missing("opencode") !== undefined || !confined)(
  titled("opencode-sandbox joins the suite", "opencode"),
  () => {
    const cases = providerConformance({
      scenes: {
        answers: playing({}),
        edits: playing({ actions: [{ do: "write", path: "hello.txt", text: "hello\n" }] }),
        refuses: playing({ text: "I cannot help with that." }),
        garbage: playing({ text: "{]" }),
        staleAck: playing({ answer: { ack: "stale" } }),
        oversize: playing({ text: countingTo(250_000) }),
        silent: playing({ behave: "hang" }),
        stallsMidStream: playing({ behave: "stall" }),
        exitsAtOnce: playing({}, { program: broken() }),
        exitsUnread: playing({}, { program: broken() }),
        crashesMidStream: playing({ behave: "stall" }, { killed: true }),
        busyOnce: playing({ status: { code: 429, times: 1 } }),
        overloadedOnce: playing({ status: { code: 529, times: 1 } }),
        alwaysBusy: {
          cannot: "OpenCode waits for a busy model without an end; the call ends at its deadline",
        },
        loginMissing: noLogin,
        absent,
      },
      typo: { wrote: "claude-sonet-4.6", meant: "claude-sonnet-4.6" },
      patienceMs: 6_000,
      timeoutMs: 120_000,
    });
    for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
  },
);

describe.skipIf(missing("opencode", "claude") !== undefined || !confined)(
  titled("a governed run with the worker in a sandbox", "opencode", "claude"),
  () => {
    it("[R-26] the patch of the sandbox is checked, put before a person, applied and verified", async () => {
      const from = "export const add = (a, b) => a - b;";
      const to = "export const add = (a, b) => a + b;";
      const desk = await openAgentDesk(
        {
          roles: {
            implementer: [
              {
                actions: [{ do: "replace", path: "src/add.js", from, to }],
                answer: { payload: { changedFiles: ["src/add.js"] } },
              },
            ],
          },
        },
        { programs: [claudeScripted] },
      );
      const gateway = desk.start(["gateway", "--port", "0"]);
      let told = "";
      gateway.stdout?.on("data", (chunk: Buffer) => (told += chunk.toString("utf8")));
      await until(() => told.includes("http://"), "the gateway");
      const others = ["planner", "orchestrator", "qa", "verifier", "critic"].flatMap((role) => [
        `--${role}`,
        "claude-code:sonnet",
      ]);
      const words = ["--approvals", "manual", "--implementer", "opencode-sandbox:claude-sonnet-4.6"];
      const text = () => readFileSync(join(desk.repo.dir, "src/add.js"), "utf8");
      let ran = await desk.thehood(["run", "make add() add", ...words, ...others, "--json"]);
      const gates: string[] = [];
      interface Standing {
        readonly state: string;
        readonly gate?: { readonly kind: string; readonly sha256: string; readonly phrase: string | null };
      }
      for (let at = 0; at < 8 && ran.json<Standing>().state === "awaiting_approval"; at += 1) {
        const { kind = "", sha256 = "", phrase } = ran.json<Standing>().gate ?? {};
        const said = phrase ? ["--message", phrase] : [];
        gates.push(`${kind}: ${text().includes(to) ? "new" : "old"}`);
        ran = await desk.thehood(["approve", "--shown", sha256, ...said, "--json"]);
      }
      expect(ran.json(), ran.out).toMatchObject({ state: "completed", ok: true });
      // No destination is remembered, so each message to another machine asks on its own.
      expect(gates).toEqual([
        "repo_context_external_transfer: old",
        "provider_invocation: old",
        ...Array.from({ length: 4 }, () => "run_evidence_external_transfer: old"),
        "isolated_patch_application: old",
      ]);
      expect(text()).toContain(to);
      const { sessions } = (await desk.thehood(["gateway", "sessions", "--json"])).json<{
        sessions: { status: string }[];
      }>();
      expect(sessions.map(({ status }) => status)).toEqual(["stopped"]);
      expect((await desk.thehood(["log", "verify"])).code).toBe(0);
    });
  },
);
