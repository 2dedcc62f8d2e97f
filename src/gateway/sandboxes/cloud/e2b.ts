// Boxes at E2B, through the package `e2b` (its types as of 2.51). Its commands are shell lines and their output is text, so
// that each argument is quoted and the output travels as base64.
import { agentPort } from "../../rules/index.ts";
import type { BoxProvider, ExecOptions, ExecResult } from "../port.ts";
import { cloudBoxes, type CloudOptions, type Machine, type Machines, loadSdk } from "./machines.ts";

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
/** Runs its words, and prints their output as base64, with their own exit code. */
const encoding = 'out=$(mktemp); "$@" > "$out"; code=$?; base64 -w0 "$out"; rm -f "$out"; exit $code';

/** An error of the SDK that tells how a command ended; any other one is no end of a command. */
const endOf = (error: unknown): Ended | undefined =>
  error instanceof Error && "exitCode" in error && "stdout" in error
    ? (error as unknown as Ended)
    : undefined;
const named = (error: unknown, name: RegExp): boolean => error instanceof Error && name.test(error.name);

async function execIn(
  { commands }: E2bSandbox,
  argv: readonly string[],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { input, cwd, env, timeoutMs = 60_000, maxBytes = 16 << 20 } = options;
  const line = ["sh", "-c", encoding, "sh", ...argv].map(quoted).join(" ");
  const words = { background: true, stdin: input !== undefined, cwd, envs: env, timeoutMs };
  const started = await commands.run(line, words);
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
  // A machine that nobody renews ends by itself; one that is gone is renewed no more.
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

export const e2bBoxes = ({ gatewayUrl, folder, image }: CloudOptions): BoxProvider =>
  // oxlint-disable-next-line require-await -- a package that is missing must reject
  cloudBoxes(gatewayUrl, async () => machinesOf(loadSdk<E2bSdk>(folder, "e2b", "Sandbox"), image), "e2b");
