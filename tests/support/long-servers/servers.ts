// The two servers that stay up for long, with a probe of what they hold: the page of runs and the gateway.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { openProbe, type Held } from "./probe.ts";

const bin = join(import.meta.dirname, "..", "..", "..", "bin", "thehood.js");

export interface Place {
  /** Where the server is started. */
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  /** For what the probe writes. */
  readonly folder: string;
}

export interface Server {
  readonly name: string;
  /** One turn of a client: streams that are opened, read and closed, and a request beside them. Gives the streams. */
  turn(): Promise<number>;
  held(): Promise<Held>;
  end(): Promise<void>;
}

/** Where this process itself got no time to send its request, the server gave it up in time: it is sent again so often. */
const mostLate = 5;

/** Opens a stream, waits for its first bytes, and closes it. */
async function stream(url: string, token: string): Promise<void> {
  for (let late = 0; ; late += 1) {
    const status = await opened(url, token);
    if (status === 200) return;
    if (status !== 408 || late >= mostLate) throw new Error(`${url}: ${status}`);
  }
}

function opened(url: string, token: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const request = get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (answer) => {
    answer.once("data", () => request.destroy());
    answer.once("close", () => resolve(answer.statusCode));
    answer.resume();
  });
  request.once("error", (error) => (request.destroyed ? resolve(200) : reject(error)));
  return promise;
}

const send = async (url: string, token: string, body: object): Promise<unknown> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      // A connection of its own: one that is kept open may be closed by the server while this machine stands still.
      connection: "close",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** The first text that the program prints and that matches. */
async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr])
    output?.on("data", (chunk: Buffer) => {
      text = `${text}${chunk.toString("utf8")}`.slice(-100_000);
      const found = pattern.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
  child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${text}`)));
  return promise;
}

function started(name: string, words: readonly string[], { dir, env, folder }: Place) {
  const probe = openProbe(folder);
  const child = spawn(process.execPath, [bin, ...words], { cwd: dir, env: { ...env, ...probe.env } });
  // Also where this process ends with an error.
  process.once("exit", () => void child.kill());
  return {
    child,
    name,
    held: () => probe.held(child.pid ?? 0),
    async end() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

const many = 10;
const times = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: many }, (_, index) => work(index)));

export async function pageServer(place: Place, runId: string): Promise<Server> {
  const { child, ...rest } = started("page server", ["web", "--no-open"], place);
  const link = new URL(await printed(child, /http:\S+#t=[\w/-]+(?=\n)/));
  const { bearer } = (await send(`${link.origin}/api/login`, "", { token: link.hash.slice(3) })) as { bearer: string };
  const repo = encodeURIComponent(place.dir);
  return {
    ...rest,
    async turn() {
      await times((index) =>
        stream(`${link.origin}/api/live?repo=${repo}${index % 2 === 0 ? "" : `&run=${runId}`}`, bearer),
      );
      await send(`${link.origin}/api/do`, bearer, { operation: "home", input: {} });
      return many;
    },
  };
}

interface Told {
  readonly url: string;
  readonly adminToken: string;
  readonly sessions: Readonly<Record<string, { readonly token: string }>>;
}

export async function gatewayServer(place: Place): Promise<Server> {
  const names = Array.from({ length: many }, (_, index) => `i${index}`);
  const sessions = ["s1=setup", ...names.map((name) => `${name}=coding`)].flatMap((one) => ["--session", one]);
  const { child, ...rest } = started("gateway", ["gateway", "dev", "--json", ...sessions], place);
  const told = JSON.parse(await printed(child, /^\{.*\}(?=\n)/m)) as Told;
  let calls = 0;
  return {
    ...rest,
    async turn() {
      await times((index) => stream(`${told.url}/api/sessions/i${index}/events`, told.adminToken));
      await times(() =>
        send(`${told.url}/proliferate/s1/tools/save_service_commands`, told.sessions["s1"]?.token ?? "", {
          tool_call_id: `call-${(calls += 1)}`,
          args: { commands: [{ name: "web", command: "npm start" }] },
        }),
      );
      return many;
    },
  };
}
