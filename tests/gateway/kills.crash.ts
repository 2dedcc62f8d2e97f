// A real gateway that is killed at random moments while it starts, stops, saves and follows sessions. The next one leaves
// nothing behind that no running session has: no home, no socket folder, no unfinished snapshot.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { seeded } from "../support/seed.ts";
import { tempFolder } from "../support/temp-folder.ts";

const bin = resolve(import.meta.dirname, "../../bin/thehood.js");
const { kind: sandbox } = await detectSandbox();
const kills = 20;

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly boxId: string | null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function place() {
  const root = tempFolder("gateway-kills-");
  const [home, tmp, programs] = ["home", "tmp", "bin"].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, tmp, programs]) mkdirSync(folder);
  cpSync(join(import.meta.dirname, "support/agent.cjs"), join(programs, "opencode"));
  chmodSync(join(programs, "opencode"), 0o755);
  const folder = join(home, ".local/state/thehood/gateway");
  const port = await freePort();
  const env = { PATH: [programs, process.env["PATH"]].join(delimiter), HOME: home, TMPDIR: tmp, NO_COLOR: "1" };
  const names = (path: string): string[] => (existsSync(path) ? readdirSync(path).sort() : []);
  let child: ChildProcess | undefined;
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${readFileSync(join(folder, "admin-token"), "utf8").trim()}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(kill);
  return {
    ask,
    kill,
    async start(): Promise<void> {
      const words = ["gateway", "--endpoint", "http://127.0.0.1:9/v1", "--port", String(port)];
      child = spawn(process.execPath, [bin, ...words], { cwd: root, env, stdio: "ignore" });
      await expect
        .poll(async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => null))?.status)
        .toBe(200);
    },
    sessions: async () => (await ask("GET", "/api/sessions"))["sessions"] as Listed[],
    left: () => ({
      boxes: names(join(folder, "boxes")),
      unfinished: names(join(folder, "snapshots")).filter((name) => name.includes(".partial")),
      sockets: names(tmp).filter((name) => name.startsWith("thb-")).length,
    }),
  };
}

it.skipIf(sandbox === "none")(
  `[B-30] a gateway that is killed ${kills} times leaves nothing that no running session has (needs a sandbox)`,
  async () => {
    const next = seeded("kills of a gateway");
    const choose = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
    const { ask, kill, start, sessions, left } = await place();
    await start();
    const { id: configurationId } = await ask("POST", "/api/configurations", { name: "c" });
    for (let time = 0; time < kills; time += 1) {
      const running = (await sessions()).filter(({ status }) => status === "running").map(({ id }) => id);
      const made = { kind: "coding", id: `s${time}`, configurationId, model: "local/m", start: true };
      const create = () => ask("POST", "/api/sessions", made);
      const act = choose(
        running.length === 0
          ? [create]
          : [
              create,
              () => ask("POST", `/api/sessions/${choose(running)}/snapshots`, { message: "m" }),
              () => ask("POST", `/api/sessions/${choose(running)}/stop`),
              () => ask("POST", `/api/sessions/${choose(running)}/message`, { content: "one two three" }),
            ],
      );
      // Its answer is lost with the gateway, or comes before.
      const done = act().catch(() => undefined);
      await sleep(next() * choose([100, 500, 4_000]));
      await kill();
      await done;
      await start();
      const wanted = async () => {
        const all = await sessions();
        const boxes = all.filter(({ status }) => status === "running").map(({ boxId }) => boxId);
        return { boxes: boxes.sort(), unfinished: [], sockets: boxes.length };
      };
      await expect.poll(async () => [left(), await wanted()].map((one) => JSON.stringify(one))).toSatisfy(isSame);
      expect((await sessions()).filter(({ status }) => status === "starting")).toEqual([]);
    }
    for (const { id, status } of await sessions())
      if (status === "running") await ask("POST", `/api/sessions/${id}/stop`);
    expect(left()).toEqual({ boxes: [], unfinished: [], sockets: 0 });
  },
);

const isSame = ([one, other]: string[]): boolean => one === other;
