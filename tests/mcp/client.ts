// A client of `thehood mcp`: the real program on real streams, by the official SDK or by raw lines.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { expect, onTestFinished } from "vitest";
import { bin, openTestDesk, sample, type Desk } from "../cli/program.ts";

export const stubCrew = {
  orchestrator: "stub:orchestrator",
  planner: "stub:planner",
  researcher: "stub:researcher",
  implementer: "stub:implementer",
  qa: "stub:qa",
  verifier: "stub:verifier",
  critic: "stub:critic",
};

export interface Told<T = Record<string, unknown>> {
  readonly isError: boolean;
  readonly text: string;
  readonly data: T;
  /** Bytes of the text as it travels: a host hands its model the text or the data, and they are the same. */
  readonly bytes: number;
}

export interface Bench extends Desk {
  configure(config: object): void;
}

export function openBench(files?: Readonly<Record<string, string>>): Bench {
  const desk = openTestDesk(files ?? sample);
  const bench: Bench = {
    ...desk,
    configure(config) {
      mkdirSync(join(desk.home, "config"), { recursive: true });
      writeFileSync(join(desk.home, "config/config.json"), JSON.stringify({ version: 1, ...config }));
    },
  };
  bench.configure({ roles: stubCrew });
  return bench;
}

export async function connect(
  bench: Desk,
  options: {
    /** The newer protocol, and nothing else. */
    modern?: boolean;
    args?: readonly string[];
    /** The server lists only its main tools. */
    main?: boolean;
    capabilities?: object;
    env?: Record<string, string>;
    name?: string;
  } = {},
): Promise<Client> {
  const client = new Client(
    { name: options.name ?? "test-client", version: "1" },
    {
      capabilities: options.capabilities ?? {},
      ...(options.modern === true ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, "mcp", ...(options.main ? [] : ["--tools", "all"]), ...(options.args ?? [])],
      cwd: bench.repo.dir,
      env: { ...(bench.env as Record<string, string>), ...options.env },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

export async function call<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Told<T>> {
  const result = await client.callTool({ name: `thehood_${name}`, arguments: args });
  const [content] = result.content;
  const text = content?.type === "text" ? content.text : "";
  const data = JSON.parse(text) as T;
  const isError = result.isError === true;
  if (isError) expect(result).not.toHaveProperty("structuredContent");
  else {
    expect(result.structuredContent).toEqual(data);
    const fits = (await schemasOf(client)).get(`thehood_${name}`);
    expect(fits?.(data)).toMatchObject({ valid: true });
  }
  return { isError, text, data, bytes: Buffer.byteLength(JSON.stringify(result.content)) };
}

type Fits = (value: unknown) => { readonly valid: boolean };
const schemas = new WeakMap<Client, Promise<ReadonlyMap<string, Fits>>>();

/** The output schemas of a server, as it lists them. */
function schemasOf(client: Client): Promise<ReadonlyMap<string, Fits>> {
  const known = schemas.get(client) ?? readSchemas(client);
  schemas.set(client, known);
  return known;
}

async function readSchemas(client: Client): Promise<ReadonlyMap<string, Fits>> {
  const validator = new AjvJsonSchemaValidator();
  const { tools } = await client.listTools();
  return new Map(
    tools.map(({ name, outputSchema }) => [
      name,
      validator.getValidator((outputSchema ?? { not: {} }) as { type?: string }),
    ]),
  );
}

export interface Status {
  readonly runId: string;
  readonly state: string;
  readonly working: boolean;
  readonly gate: { id: string; sha256: string; kind: string; phrase: string | null; preview: string } | null;
  readonly latest: Record<string, string>;
  readonly next: readonly { kind: string; command: string | null }[];
  readonly counts: { events: number };
  readonly poll?: string;
}

/** Polls as a host would, until no process works on the run any more. */
export async function settled(client: Client, runId: string): Promise<Status> {
  for (;;) {
    const { data } = await call<Status>(client, "status", { run_id: runId });
    if (!data.working) return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Until the run is where it should get by itself; the process that works on it may only just be starting. */
export async function reaches(client: Client, runId: string, state: string): Promise<Status> {
  for (;;) {
    const { data } = await call<Status>(client, "status", { run_id: runId });
    if (data.state === state) return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export interface Raw {
  readonly child: ChildProcessWithoutNullStreams;
  send(message: unknown): void;
  /** The next message that fits; what else comes is kept. */
  next(fits: (message: Message) => boolean): Promise<Message>;
  readonly messages: readonly Message[];
  readonly stderr: () => string;
  exited(): Promise<number | null>;
}

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, never>;
  readonly result?: Record<string, never>;
  readonly error?: { code: number; message: string };
}

/** Raw JSON-RPC, for what no well-behaved client would send. */
export function rawClient(bench: Desk, args: readonly string[] = [], env: Record<string, string> = {}): Raw {
  const child = spawn(process.execPath, [bin, "mcp", ...args], {
    cwd: bench.repo.dir,
    env: { ...bench.env, ...env },
  });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let stderr = "";
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const wake = () => {
    for (const tell of waiting) tell();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    messages.push(...parts.map((line) => JSON.parse(line) as Message));
    wake();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  child.stdin.on("error", () => undefined);
  void exit.then(wake);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return {
    child,
    messages,
    stderr: () => stderr,
    send: (message) => void child.stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`),
    exited: () => exit,
    async next(fits) {
      for (;;) {
        const at = messages.findIndex(fits);
        const [found] = at < 0 ? [] : messages.splice(at, 1);
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${stderr}`);
        await new Promise<void>((resolve) => {
          const tell = () => {
            waiting.delete(tell);
            resolve();
          };
          waiting.add(tell);
        });
      }
    },
  };
}

export const hello = (capabilities: object = {}, name = "raw") => ({
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", clientInfo: { name, version: "1" }, capabilities },
});

export const toolCall = (id: string | number, name: string, args: object = {}, meta?: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: `thehood_${name}`, arguments: args, ...(meta ? { _meta: meta } : {}) },
});

/** The JSON a tool's result carries. */
export const dataOf = <T = Record<string, unknown>>(
  message: Message,
): T & { error?: { code: string; message: string; remedy?: string } } =>
  JSON.parse((message.result as unknown as { content: { text: string }[] }).content[0]?.text ?? "null") as T & {
    error?: { code: string; message: string; remedy?: string };
  };
