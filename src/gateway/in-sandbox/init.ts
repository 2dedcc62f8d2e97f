// The first program in a local sandbox. The sandbox has no network except its sockets: one runs programs here, one leads in
// to the agent's port, one leads out to the gateway, and one to the allowed hosts if there are any.
import { spawn } from "node:child_process";
import { createServer as createHttp, type IncomingMessage } from "node:http";
import { connect, createServer, type Socket } from "node:net";

const folder = "/run/box";
const [agentPort = "4096", ...outlets] = process.argv.slice(2);

interface ExecRequest {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Joins two connections until either ends. */
function join(one: Socket, other: Socket): void {
  const end = () => {
    one.destroy();
    other.destroy();
  };
  for (const side of [one, other]) side.on("error", end).on("close", end);
  one.pipe(other).pipe(one);
}

function run({ argv: [program = "", ...args], cwd, env, input, timeoutMs, maxBytes }: ExecRequest): Promise<object> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: cwd ?? "/", env: { ...process.env, ...env }, detached: true });
    const out: Buffer[] = [];
    let size = 0;
    let errors = "";
    const kill = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    };
    const timer = setTimeout(kill, timeoutMs);
    const done = (code: number | null, why?: string) => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(out).toString("base64"), stderr: why ?? errors });
    };
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) out.push(chunk);
      else kill();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 10_000) errors += chunk.toString("utf8");
    });
    child.on("error", (error) => done(null, error.message));
    child.on("close", (code) => done(code));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input === undefined ? undefined : Buffer.from(input, "base64"));
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Ends every process of this sandbox: the sandbox ends when none is left. */
function endAll(): never {
  try {
    process.kill(-1, "SIGKILL");
  } catch (error) {
    // There is no other process.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
  process.exit(0);
}

createHttp((request, response) => {
  const answer = async () => {
    if (request.url === "/stop") endAll();
    response.end(
      JSON.stringify(request.url === "/exec" ? await run(JSON.parse(await bodyOf(request)) as ExecRequest) : {}),
    );
  };
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(`${folder}/control.sock`);
createServer((socket) => join(socket, connect(Number(agentPort), "127.0.0.1"))).listen(`${folder}/agent.sock`);
// Each argument names a socket of the folder and the port on which programs here reach it: `gateway=8700`.
for (const [name, port] of outlets.map((outlet) => outlet.split("=")))
  createServer((socket) => join(socket, connect(`${folder}/${name}.sock`))).listen(Number(port), "127.0.0.1");
