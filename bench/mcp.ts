// The MCP server as a host meets it: how long until it has answered `initialize`, against a bare Node of the same
// version, and fifty status calls at once.
import { spawn, type ChildProcess } from "node:child_process";
import { env, makeRepository, program as programOf, thehood } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median } from "./lib/measure.ts";

const dir = makeRepository();
const rounds = 11;
const calls = 50;
const { runId } = JSON.parse(thehood(dir, "run", "say hello", "--approvals", "autopilot", "--no-checks", "--json")) as {
  runId: string;
};

interface Reply {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean };
  readonly error?: unknown;
}

/** Sends messages, a line each, and resolves when the given ids have been answered. */
class Server {
  readonly #child: ChildProcess;
  #text = "";
  #waiting = new Map<number, (reply: Reply) => void>();

  constructor(program: "thehood" | "oracle" = "thehood") {
    this.#child = spawn(process.execPath, [programOf(program), "mcp"], {
      cwd: dir,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      const lines = (this.#text + chunk.toString("utf8")).split("\n");
      this.#text = lines.pop() ?? "";
      for (const line of lines) {
        const reply = JSON.parse(line) as Reply;
        if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
      }
    });
  }

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  ask(id: number, method: string, params: object): Promise<Reply> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  async greet(): Promise<void> {
    await this.ask(0, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    this.send({ method: "notifications/initialized" });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.on("close", () => resolve());
      this.#child.stdin?.end();
    });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const bare = () =>
  new Promise<void>((resolve) => {
    spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }).on("close", () => resolve());
  });

const programs = ["thehood", "oracle"] as const;
const starts: Record<(typeof programs)[number], number[]> = { thehood: [], oracle: [] };
const bares: number[] = [];
for (let round = -1; round < rounds; round += 1) {
  const plain = await timed(bare);
  if (round >= 0) bares.push(plain);
  for (const program of programs) {
    let server: Server | undefined;
    const start = await timed(() => (server = new Server(program)).greet());
    await server?.end();
    if (round >= 0) starts[program].push(start);
  }
}
console.log(`node -e 0                            ${median(bares).toFixed(1).padStart(9)} ms`);
for (const program of programs) {
  const ratio = median(starts[program]) / median(bares);
  console.log(
    `${`${program} mcp, until it is initialized`.padEnd(37)}${median(starts[program]).toFixed(1).padStart(9)} ms  ${ratio.toFixed(2)} ×${judged("2 ×", ratio <= 2)}`,
  );
}

const server = new Server();
await server.greet();
const wave = (from: number) =>
  Promise.all(
    Array.from({ length: calls }, (_, index) =>
      server.ask(from + index, "tools/call", { name: "thehood_status", arguments: { run_id: runId } }),
    ),
  );
const first = await timed(async () => {
  for (const reply of await wave(1_000))
    if (reply.error !== undefined || reply.result?.isError === true)
      throw new Error(`a status call failed: ${JSON.stringify(reply).slice(0, 500)}`);
});
const again = await timed(() => wave(2_000));
for (const [name, ms] of [
  [`${calls} status calls at once, first`, first],
  [`${calls} status calls at once, again`, again],
] as const)
  console.log(`${name.padEnd(36)} ${ms.toFixed(1).padStart(9)} ms${judged("1000 ms", ms <= 1000)}`);
await server.end();
