// Sandboxes at Modal, through the package `modal` (its types as of 0.11; 1.x of that name is another package). A snapshot is an
// image of the file system that is published under its label.
import { agentPort } from "../../rules/index.ts";
import type { SandboxProvider, ExecOptions, ExecResult } from "../port.ts";
import { cloudSandboxes, type CloudOptions, type Machine, type Machines, loadSdk } from "./machines.ts";

interface Reading {
  readBytes(): Promise<Uint8Array>;
}
interface ModalProcess {
  readonly stdin: { writeBytes(bytes: Uint8Array): Promise<void>; close(): Promise<void> };
  readonly stdout: Reading;
  readonly stderr: Reading;
  wait(): Promise<number>;
}
interface ModalImage {
  readonly imageId: string;
  publish(name: string): Promise<void>;
}
interface ModalSandbox {
  readonly sandboxId: string;
  exec(argv: readonly string[], options: object): Promise<ModalProcess>;
  tunnels(): Promise<Readonly<Record<number, { readonly url: string }>>>;
  snapshotFilesystem(options: object): Promise<ModalImage>;
  poll(): Promise<number | null>;
  terminate(): Promise<void>;
}
interface ModalClient {
  readonly apps: { fromName(name: string, options: { createIfMissing: boolean }): Promise<object> };
  readonly images: {
    fromRegistry(tag: string): ModalImage;
    fromName(name: string): Promise<ModalImage>;
    delete(imageId: string): Promise<void>;
  };
  readonly sandboxes: {
    create(app: object, image: ModalImage, options: object): Promise<ModalSandbox>;
    fromId(id: string): Promise<ModalSandbox>;
  };
}
interface ModalSdk {
  readonly ModalClient: new () => ModalClient;
}

/** The longest lifetime at Modal. */
const lifeMs = 24 * 3_600_000;
const named = (error: unknown, name: RegExp): boolean => error instanceof Error && name.test(error.name);

async function execIn(sandbox: ModalSandbox, argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const { input, cwd, env, timeoutMs = 60_000, maxBytes = 16 << 20 } = options;
  const run = { mode: "binary", workdir: cwd, env, timeoutMs };
  const running = await sandbox.exec(argv, run);
  try {
    if (input !== undefined && input.length > 0) await running.stdin.writeBytes(input);
    await running.stdin.close();
    const [out, errors, code] = await Promise.all([
      running.stdout.readBytes(),
      running.stderr.readBytes(),
      running.wait(),
    ]);
    const stderr = Buffer.from(errors).toString("utf8").slice(-10_000);
    const stdout = Buffer.from(out);
    return stdout.length > maxBytes
      ? { code: null, stdout: stdout.subarray(0, maxBytes), stderr }
      : { code, stdout, stderr };
  } catch (error) {
    if (!named(error, /Timeout/)) throw error;
    return { code: null, stdout: Buffer.alloc(0), stderr: "ended after its time" };
  }
}

async function machineOf(sandbox: ModalSandbox): Promise<Machine> {
  const { url = "" } = (await sandbox.tunnels())[agentPort] ?? {};
  return {
    id: sandbox.sandboxId,
    exec: (argv, options) => execIn(sandbox, argv, options),
    agent: { url, headers: {} },
    async save(name) {
      const image = await sandbox.snapshotFilesystem({ timeoutMs: 600_000, ttlMs: null });
      await image.publish(name);
    },
    alive: async () => (await sandbox.poll()) === null,
    end: () => sandbox.terminate(),
  };
}

function machinesOf({ ModalClient }: ModalSdk, base: string): Machines {
  const client = new ModalClient();
  const app = client.apps.fromName("thehood", { createIfMissing: true });
  const saved = async (name: string): Promise<ModalImage | undefined> => {
    try {
      return await client.images.fromName(name);
    } catch (error) {
      if (named(error, /NotFound/)) return undefined;
      throw error;
    }
  };
  return {
    id: "modal",
    async create(name, env) {
      const image = name === null ? client.images.fromRegistry(base) : await client.images.fromName(name);
      const options = { env, encryptedPorts: [agentPort], timeoutMs: lifeMs };
      return machineOf(await client.sandboxes.create(await app, image, options));
    },
    async find(id) {
      try {
        const sandbox = await client.sandboxes.fromId(id);
        return (await sandbox.poll()) === null ? await machineOf(sandbox) : undefined;
      } catch (error) {
        if (named(error, /NotFound/)) return undefined;
        throw error;
      }
    },
    hasSaved: async (name) => ((await saved(name)) ? "yes" : "no"),
    async removeSaved(name) {
      const image = await saved(name);
      if (image) await client.images.delete(image.imageId);
    },
  };
}

export const modalSandboxes = ({ gatewayUrl, folder, image }: CloudOptions): SandboxProvider =>
  cloudSandboxes(
    gatewayUrl,
    // oxlint-disable-next-line require-await -- a package that is missing must reject
    async () => machinesOf(loadSdk<ModalSdk>(folder, "modal@0.11", "ModalClient"), image),
    "modal",
  );
