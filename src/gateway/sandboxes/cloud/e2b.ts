// Sandboxes at E2B, through the package `e2b` (its types as of 2.51). Its commands are shell lines and their output is text:
// each argument is quoted, and the output is encoded as base64.
import { agentPort } from "../../rules/index.ts";
import type { SandboxProvider, ExecOptions, ExecResult } from "../port.ts";
import { cloudSandboxes, type CloudOptions, type Machine, type Machines, loadSdk } from "./machines.ts";

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}
interface Started {
  readonly pid: number;
  wait(): Promise<Ended>;
}
interface E2bSandbox {
  readonly sandboxId: string;
  readonly trafficAccessToken?: string;
  readonly commands: {
    run(line: string, options: object): Promise<Started>;
    sendStdin(pid: number, data: Uint8Array): Promise<void>;
    closeStdin(pid: number): Promise<void>;
  };
  getHost(port: number): string;
  isRunning(): Promise<boolean>;
  setTimeout(ms: number): Promise<void>;
  createSnapshot(options: { name: string }): Promise<{ readonly snapshotId: string }>;
  kill(): Promise<unknown>;
}
interface E2bSdk {
  readonly Sandbox: {
    create(template: string, options: object): Promise<E2bSandbox>;
    connect(id: string): Promise<E2bSandbox>;
    listSnapshots(options: { name: string }): { nextItems(): Promise<readonly unknown[]> };
    deleteSnapshot(name: string): Promise<boolean>;
  };
}

const lifeMs = 3_600_000;
const renewMs = 600_000;
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
/** Runs its arguments, prints the output as base64, and exits with the code of the command. */
const encoding = 'out=$(mktemp); "$@" > "$out"; code=$?; base64 -w0 "$out"; rm -f "$out"; exit $code';

/** The end of a command in an error of the SDK; undefined for any other error. */
const endOf = (error: unknown): Ended | undefined =>
  error instanceof Error && "exitCode" in error && "stdout" in error ? (error as unknown as Ended) : undefined;
const named = (error: unknown, name: RegExp): boolean => error instanceof Error && name.test(error.name);

async function execIn(
  { commands }: E2bSandbox,
  argv: readonly string[],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { input, cwd, env, timeoutMs = 60_000, maxBytes = 16 << 20 } = options;
  const line = ["sh", "-c", encoding, "sh", ...argv].map(quoted).join(" ");
  const run = { background: true, stdin: input !== undefined, cwd, envs: env, timeoutMs };
  const started = await commands.run(line, run);
  if (input !== undefined) {
    await commands.sendStdin(started.pid, input);
    await commands.closeStdin(started.pid);
  }
  try {
    const { exitCode, stdout, stderr } = await started.wait().catch((error: unknown) => {
      const end = endOf(error);
      if (end) return end;
      throw error;
    });
    const bytes = Buffer.from(stdout, "base64");
    return bytes.length > maxBytes
      ? { code: null, stdout: bytes.subarray(0, maxBytes), stderr }
      : { code: exitCode, stdout: bytes, stderr };
  } catch (error) {
    if (!named(error, /Timeout/)) throw error;
    return { code: null, stdout: Buffer.alloc(0), stderr: "ended after its time" };
  }
}

function machineOf(sandbox: E2bSandbox): Machine {
  const { sandboxId: id, trafficAccessToken } = sandbox;
  // A machine ends when its time is not renewed; renewal stops when the machine is gone.
  const renew = () => void sandbox.setTimeout(lifeMs).catch(() => clearInterval(renewing));
  const renewing = setInterval(renew, renewMs);
  renewing.unref();
  return {
    id,
    exec: (argv, options) => execIn(sandbox, argv, options),
    agent: {
      url: `https://${sandbox.getHost(agentPort)}`,
      headers: trafficAccessToken === undefined ? {} : { "e2b-traffic-access-token": trafficAccessToken },
    },
    save: async (name) => void (await sandbox.createSnapshot({ name })),
    alive: () => sandbox.isRunning(),
    async end() {
      clearInterval(renewing);
      await sandbox.kill();
    },
  };
}

function machinesOf({ Sandbox }: E2bSdk, template: string): Machines {
  return {
    id: "e2b",
    create: async (saved, env, title) =>
      machineOf(
        await Sandbox.create(saved ?? template, {
          envs: env,
          timeoutMs: lifeMs,
          metadata: { title },
          network: { allowPublicTraffic: false },
        }),
      ),
    async find(id) {
      try {
        const sandbox = await Sandbox.connect(id);
        return (await sandbox.isRunning()) ? machineOf(sandbox) : undefined;
      } catch (error) {
        if (named(error, /NotFound/)) return undefined;
        throw error;
      }
    },
    hasSaved: async (name) => ((await Sandbox.listSnapshots({ name }).nextItems()).length > 0 ? "yes" : "no"),
    removeSaved: async (name) => void (await Sandbox.deleteSnapshot(name)),
  };
}

export const e2bSandboxes = ({ gatewayUrl, folder, image }: CloudOptions): SandboxProvider =>
  // oxlint-disable-next-line require-await -- a package that is missing must reject
  cloudSandboxes(gatewayUrl, async () => machinesOf(loadSdk<E2bSdk>(folder, "e2b", "Sandbox"), image), "e2b");
