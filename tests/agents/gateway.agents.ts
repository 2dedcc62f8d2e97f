// The real OpenCode in local sandboxes of the gateway, against a model on loopback, by both wires: from a setup session
// to an automation run that is completed once, through a reset connection, a frozen sandbox and gateways that are killed.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { localSandboxes } from "../../src/gateway/sandboxes/local/provider.ts";
import { actionsCode, initProgram, toolCode } from "../../src/gateway/process/index.ts";
import { realpathSync } from "node:fs";
import { serveModel } from "../gateway/support/model.ts";
import { openScene, type Answer, type Scene } from "../gateway/support/scene.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { binDir, installed, missing, titled } from "./installed.ts";

const canary = "cnry-9f2-real-agent-v4lu3";
const real = it.skipIf(missing("opencode") !== undefined);

function repository(): string {
  const folder = tempFolder("gateway-agent-repo-");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "app.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "start");
  return folder;
}

async function realScene(): Promise<{ scene: Scene; model: Awaited<ReturnType<typeof serveModel>> }> {
  const model = await serveModel();
  const found = installed("opencode");
  const program = realpathSync("path" in found ? found.path : "");
  const folder = tempFolder("gateway-agent-");
  const path = process.env["PATH"] ?? "";
  const endpoint = { url: model.url, key: "the-real-key" };
  const scene = await openScene({
    folder,
    sandboxes: (accept) =>
      localSandboxes({
        folder,
        path,
        init: initProgram(),
        node: process.execPath,
        opencode: program,
        accept,
        hosts: [],
      }),
    endpoints: { anthropic: endpoint, litellm: endpoint },
    toolCode,
    actionsCode,
  });
  onTestFinished(() => model.close());
  return { scene, model };
}

async function begin(scene: Scene, ask: object): Promise<string> {
  const made = await scene.ask("POST", "/api/sessions", { start: true, ...ask });
  expect(made).toMatchObject({ status: 201, body: { status: "running" } });
  return made.body.id as string;
}

/** One turn of the agent: a tool call and the words after it. */
async function turn(
  scene: Scene,
  id: string,
  tool: string,
  args: object,
): Promise<{ start: Answer; result: string; last: string }> {
  const after = (await scene.gateway.deps.store.events(id, 0, 100_000)).at(-1)?.seq ?? 0;
  const sent = await scene.ask("POST", `/api/sessions/${id}/message`, {
    content: `CALL ${tool} ${JSON.stringify(args)}`,
  });
  expect(sent.status).toBe(202);
  const start = await scene.event(id, ({ type }) => type === "tool_start", after);
  const end = await scene.event(id, ({ type }) => type === "tool_end", after);
  const last = await scene.event(id, ({ type, data }) => type === "message" && data["role"] === "assistant", after);
  await scene.event(id, ({ type }) => type === "message_complete", after);
  return { start: start.data, result: String(end.data["result"]), last: String(last.data["text"]) };
}

const file = { path: ".env", format: "dotenv", mode: "secret", keys: [{ key: "SHOP_KEY", required: true }] };

describe("the real OpenCode in a sandbox of the gateway", () => {
  for (const model of ["claude-sonnet-4.6", "gpt-5.2"])
    real(
      titled(
        `[A-12][A-18][A-21][A-24][A-25][A-27][A-30][A-31][A-41] ${model}: setup, variables, evidence, snapshot, coding, automation`,
        "opencode",
      ),
      async () => {
        const { scene, model: played } = await realScene();
        const { id: configurationId } = (
          await scene.ask("POST", "/api/configurations", { name: "shop", source: repository() })
        ).body as { id: string };
        const setup = await begin(scene, { kind: "setup", configurationId, model });
        const wanted = await turn(scene, setup, "request_env_variables", {
          keys: [{ key: "SHOP_KEY", type: "secret" }],
        });
        expect(wanted.start.args).toEqual({ keys: [{ key: "SHOP_KEY", type: "secret" }] });
        expect(wanted.result).toContain("SHOP_KEY");
        await scene.ask("POST", `/api/sessions/${setup}/env`, {
          secrets: [{ key: "SHOP_KEY", value: canary, persist: true }],
        });
        expect((await turn(scene, setup, "save_env_files", { files: [file] })).result).toContain("Saved env files");
        expect(
          (
            await turn(scene, setup, "save_service_commands", {
              commands: [{ name: "web", command: "echo up; sleep 600" }],
            })
          ).result,
        ).toContain("Saved service commands");
        const shell =
          "mkdir -p .proliferate/.verification && echo green > .proliferate/.verification/log.txt && echo two > app.txt";
        await turn(scene, setup, "bash", { command: shell, description: "make evidence" });
        expect((await turn(scene, setup, "verify", {})).result).toContain("verification/");
        expect((await turn(scene, setup, "save_snapshot", { message: "works" })).result).toContain(
          "saved for this configuration",
        );
        // The agent itself, not only the gateway, holds the arguments to the schema.
        expect((await turn(scene, setup, "save_service_commands", { commands: [] })).result).toMatch(/[Ii]nvalid/);
        await scene.ask("POST", `/api/sessions/${setup}/stop`);

        const coding = await begin(scene, {
          kind: "coding",
          configurationId,
          model,
          systemPrompt: "SPEAK-LIKE-A-PIRATE",
        });
        expect(await scene.shell(coding, "cat app.txt .env; cat /tmp/proliferate/logs/web.log")).toBe(
          `two\nSHOP_KEY=${canary}\nup\n`,
        );
        const before = played.seen.length;
        await scene.ask("POST", `/api/sessions/${coding}/message`, { content: "CALL save_env_files {}" });
        const refusal = await scene.event(
          coding,
          ({ type, data }) => type === "message" && data["role"] === "assistant",
        );
        expect(refusal.data["text"]).toBe("NO SUCH TOOL save_env_files");
        const asked = JSON.stringify(played.seen.slice(before).map(({ body }) => body));
        expect(asked).toContain("SPEAK-LIKE-A-PIRATE");
        expect(asked).toContain("Rules that always hold");

        const automation = await begin(scene, { kind: "automation", configurationId, model });
        const { runId } = (await scene.ask("GET", `/api/sessions/${automation}`)).body as { runId: string };
        const args = { run_id: runId, completion_id: `run:${runId}:completion:v1`, outcome: "succeeded" };
        expect((await turn(scene, automation, "automation_complete", args)).result).toContain("completed");
        await scene.event(automation, ({ data }) => data["status"] === "stopped");
        expect(await scene.gateway.deps.store.invocations(automation)).toMatchObject([
          { tool: "automation_complete", callId: args.completion_id, effects: 1 },
        ]);

        // The model's key was added outside, and no value left the sandboxes.
        expect(new Set(played.seen.map(({ headers }) => headers["x-api-key"] ?? headers.authorization))).toEqual(
          new Set([model.startsWith("claude") ? "the-real-key" : "Bearer the-real-key"]),
        );
        for (const id of [setup, coding, automation])
          expect(JSON.stringify(await scene.gateway.deps.store.events(id, 0, 100_000))).not.toContain(canary);
        expect(JSON.stringify(scene.logged)).not.toContain(canary);
      },
      600_000,
    );

  real(
    titled(
      "[A-18][A-40] a reset connection, a frozen sandbox and a killed gateway lose nothing and repeat nothing",
      "opencode",
    ),
    async () => {
      const model = await serveModel();
      const home = tempFolder("gateway-agent-home-");
      onTestFinished(() => model.close());
      let gateway = await startProgram(home, model.url);
      onTestFinished(async () => {
        await gateway.ask("POST", `/api/sessions/${session}/stop`).catch(() => undefined);
        gateway.child.kill("SIGKILL");
      });
      const made = await gateway.ask("POST", "/api/configurations", { name: "shop", source: repository() });
      const session = (
        await gateway.ask("POST", "/api/sessions", { kind: "setup", configurationId: made.id, start: true })
      ).id as string;

      // Killed while the agent's turn is under way: the wrapper tries again until the next gateway answers.
      const commands = [{ name: "web", command: "true" }];
      await gateway.ask("POST", `/api/sessions/${session}/message`, {
        content: `CALL save_service_commands ${JSON.stringify({ commands })}`,
      });
      gateway.child.kill("SIGKILL");
      await gateway.ended;
      gateway = await startProgram(home, model.url);
      await expect
        .poll(async () => (await ledger(gateway, session)).length, { timeout: 120_000, interval: 500 })
        .toBe(1);

      // Frozen in the middle of a turn, and let go again.
      await expect.poll(() => idle(gateway, session), { timeout: 120_000, interval: 500 }).toBe(true);
      await gateway.ask("POST", `/api/sessions/${session}/message`, {
        content: 'CALL save_snapshot {"message":"frozen"}',
      });
      const sandbox = JSON.parse(
        readFileSync(join(home, "state/gateway/boxes", `${session}.1`, "box.json"), "utf8"),
      ) as { first: { pid: number } };
      const all = treeOf(sandbox.first.pid);
      for (const pid of all) process.kill(pid, "SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      for (const pid of all) process.kill(pid, "SIGCONT");
      await expect
        .poll(async () => (await ledger(gateway, session)).length, { timeout: 120_000, interval: 500 })
        .toBe(2);
      expect((await ledger(gateway, session)).map(({ effects }: { effects: number }) => effects)).toEqual([1, 1]);
    },
    600_000,
  );
});

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  ask(method: string, path: string, body?: object): Promise<Answer>;
}

async function startProgram(home: string, endpoint: string): Promise<Program> {
  const program = join(import.meta.dirname, "../../bin/thehood.js");
  const words = ["gateway", "--json", "--port", "0", "--endpoint", endpoint, "--anthropic-endpoint", endpoint];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...process.env,
      THEHOOD_HOME: home,
      ANTHROPIC_API_KEY: "k",
      PATH: `${binDir}:${process.env["PATH"]}`,
    },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const line = await new Promise<string>((resolve) =>
    child.stdout?.once("data", (data: Buffer) => resolve(String(data))),
  );
  const { url } = JSON.parse(line) as { url: string };
  const token = readFileSync(join(home, "state/gateway/admin-token"), "utf8").trim();
  return {
    child,
    ended,
    async ask(method, path, body) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const told = (await answer.json()) as Answer;
      if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(told)}`);
      return told;
    },
  };
}

const ledger = async (gateway: Program, id: string): Promise<Answer[]> =>
  ((await gateway.ask("GET", `/api/sessions/${id}/tool-invocations`)).invocations as Answer[]).filter(
    ({ outcome }: { outcome: string }) => outcome === "succeeded",
  );

/** Whether the agent's last turn has ended, by the words that follow a tool's result. */
async function idle(gateway: Program, id: string): Promise<boolean> {
  const { invocations } = await gateway.ask("GET", `/api/sessions/${id}/tool-invocations`);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return (invocations as Answer[]).every(({ completedAt }: { completedAt: number | null }) => completedAt !== null);
}

function treeOf(pid: number): number[] {
  const children = existsSync(`/proc/${pid}/task/${pid}/children`)
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
    : [];
  return [pid, ...children.flatMap(treeOf)];
}
