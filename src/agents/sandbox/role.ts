// A role played by OpenCode in a sandbox of the gateway: it works on a copy of the worktree, and its change comes back as a
// patch that the runtime judges and lays itself.
import type { PendingCall, ProviderCall, ProviderHealth, ProviderPort } from "../../core/contract/index.ts";
import { models, type GatewayClient } from "../../gateway/index.ts";
import { resolveModel, slugOf, type KnownModels } from "../registry/registry.ts";

const sandboxId = "opencode-sandbox";

interface SandboxDeps {
  readonly aliases: Readonly<Record<string, string>>;
  /** The gateway that runs; fails when none does. */
  gateway(): Promise<GatewayClient>;
}

/** One session for one call, found again by its name. */
const sessionOf = ({ callId }: ProviderCall): string => `call-${callId.replaceAll(/[^\w.-]/g, "-")}`.slice(0, 100);

export function createSandboxRole({ aliases, gateway }: SandboxDeps): ProviderPort {
  const known: KnownModels = { provider: sandboxId, known: Object.keys(models), aliases };
  return {
    id: sandboxId,
    traits: {
      boundary: "external",
      modelBacked: true,
      edits: "patch",
      about: "OpenCode in a sandbox of the running gateway; its change comes back as a patch",
    },
    resolve: (model) => resolveModel(known, model),
    handle: sessionOf,
    async send(call, signal): Promise<PendingCall> {
      const { sendToSandbox } = await import("./call.ts");
      const model = slugOf(known, call.model) ?? null;
      return sendToSandbox({ gateway: await gateway(), session: sessionOf(call), model, call, signal });
    },
    async reattach(handle, call, signal: AbortSignal) {
      const { reattachToSandbox } = await import("./call.ts");
      return reattachToSandbox({ gateway: await gateway(), session: handle, model: null, call, signal });
    },
    examine: () => examine(gateway),
  };
}

async function examine(gateway: SandboxDeps["gateway"]): Promise<ProviderHealth> {
  const health = { version: null, login: "unknown", models: ["default", ...Object.keys(models)] } as const;
  try {
    const { url, ask } = await gateway();
    await ask("GET", "/api/sessions");
    return {
      ...health,
      installed: true,
      where: url,
      sandbox: "a sandbox of the gateway",
      problem: null,
      remedy: null,
    };
  } catch {
    return {
      ...health,
      installed: false,
      where: null,
      sandbox: null,
      problem: "No gateway is running.",
      remedy: "Start one in another terminal: thehood gateway",
    };
  }
}
