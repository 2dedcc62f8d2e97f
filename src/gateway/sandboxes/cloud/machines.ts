// Sandboxes on machines of a cloud, over the SDK of a vendor. The vendor stores snapshots under a name that we choose, so a
// recovery finds the snapshot of a call.
import { fail } from "../../../core/contract/index.ts";
import { places } from "../../rules/index.ts";
import { withoutSecrets } from "../set-aside.ts";
import { filesOver, mustRun, beginHistory } from "../exec-files.ts";
import type { Sandbox, SandboxProvider, PortAddress } from "../port.ts";
import { execProgram } from "../program.ts";
import { createRequire } from "node:module";
import { join } from "node:path";

/** One machine, as the SDK of a vendor gives it. */
export interface Machine {
  readonly id: string;
  readonly exec: Sandbox["exec"];
  /** The address of the agent's port. */
  readonly agent: PortAddress;
  /** Stores the whole file system under a name. */
  save(name: string): Promise<void>;
  alive(): Promise<boolean>;
  end(): Promise<void>;
}

export interface Machines {
  readonly id: string;
  /** `saved`: the name of a stored file system; null for the vendor's base. */
  create(saved: string | null, env: Readonly<Record<string, string>>, title: string): Promise<Machine>;
  find(id: string): Promise<Machine | undefined>;
  hasSaved(name: string): Promise<"yes" | "no" | "unknown">;
  removeSaved(name: string): Promise<void>;
}

export interface CloudOptions {
  /** The gateway's address for machines of the vendor. */
  readonly gatewayUrl: string;
  /** The folder that may contain the SDK, searched before our own installation. */
  readonly folder: string;
  /** The vendor's template or image: git, a shell, coreutils, tar and OpenCode; its user owns /home/user. */
  readonly image: string;
}

const savedName = (label: string) => `thehood-${label}`;
const mostSource = 512 << 20;

/** The files of a folder as one archive; links stay links. */
async function packed(source: string): Promise<Buffer> {
  const args = ["-C", source, "--exclude=./.thehood", "-cf", "-", "."];
  const { code, stdout, stderr } = await execProgram("tar", args, {
    timeoutMs: 300_000,
    maxBytes: mostSource,
  });
  if (code !== 0) fail("invalid_input", `${source} could not be packed: ${stderr.slice(0, 300)}`);
  return stdout;
}

function sandboxOn(machine: Machine): Sandbox {
  const { id, exec } = machine;
  const io = { exec, ...filesOver(exec) };
  return {
    id,
    ...io,
    reach: () => machine.agent,
    snapshot: (label, scrub) =>
      withoutSecrets(io, scrub, async () => {
        await machine.save(savedName(label));
        return { scrubbed: 0 };
      }),
    alive: () => machine.alive(),
    stop: () => machine.end(),
  };
}

export function cloudSandboxes(gatewayUrl: string, load: () => Promise<Machines>, id: string): SandboxProvider {
  let loaded: Promise<Machines> | undefined;
  const machines = () => (loaded ??= load());
  return {
    id,
    gatewayUrl,
    runsAgents: true,
    idFor: () => undefined,
    async create({ sessionId, generation, from, own, source, env }) {
      const saved = from === null ? null : savedName(from);
      const machine = await (await machines()).create(saved, env, `thehood-${sessionId}.${generation}`);
      try {
        await mustRun(machine.exec, ["mkdir", "-p", places.workspace], { cwd: "/" });
        if (from === null && source !== null)
          await mustRun(machine.exec, ["tar", "-xf", "-", "-C", places.workspace, "--no-same-owner"], {
            input: await packed(source),
            cwd: "/",
            timeoutMs: 300_000,
          });
        await beginHistory(machine, own);
      } catch (error) {
        await machine.end();
        throw error;
      }
      return sandboxOn(machine);
    },
    async attach(sandboxId) {
      const machine = await (await machines()).find(sandboxId);
      return machine && sandboxOn(machine);
    },
    end: async (sandboxId) => (await (await machines()).find(sandboxId))?.end(),
    hasSnapshot: async (label) => (await machines()).hasSaved(savedName(label)),
    removeSnapshot: async (label) => (await machines()).removeSaved(savedName(label)),
  };
}

/** The user installs the SDK. It is searched in the gateway's folder and beside our installation, never in the repository. */
export function loadSdk<T extends object>(folder: string, name: string, wanted: keyof T & string): T {
  const require = createRequire(join(import.meta.dirname, "sdk.js"));
  const remedy = `Install it for the gateway: npm install --prefix ${folder} ${name}`;
  const bare = name.split("@")[0] ?? name;
  let path: string;
  try {
    path = require.resolve(bare, { paths: [folder, import.meta.dirname] });
  } catch {
    return fail("provider_unavailable", `The package ${bare} was not found.`, { remedy });
  }
  const sdk = require(path) as T;
  if (!(wanted in sdk))
    fail("provider_unavailable", `The package ${bare} at ${path} has no ${wanted}: it is another package.`, {
      remedy,
    });
  return sdk;
}
