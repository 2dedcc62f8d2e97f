// The tools that the gateway performs: from parsed arguments to the effect that the ledger performs once.
import { fail } from "../../core/contract/index.ts";
import { canonicalJson, sha256 } from "../../platform/store/index.ts";
import {
  sandboxTools,
  type Completion,
  type EnvFile,
  type ServiceCommand,
  type ToolDefinition,
} from "../rules/index.ts";
import type { SandboxSession } from "../store/index.ts";
import type { Sandbox } from "../sandboxes/index.ts";
import type { ToolEffect } from "./calls.ts";
import type { KnownValues } from "./clean.ts";
import { storedValues, secretFilesOf } from "./env.ts";
import { findSnapshot, takeSnapshot } from "./snapshot.ts";
import { collectEvidence } from "./verify.ts";
import type { GatewayDeps } from "./deps.ts";

export interface ToolDeps extends GatewayDeps {
  readonly known: KnownValues;
  sandbox(session: SandboxSession): Promise<Sandbox>;
  /** Runs one snapshot or change of a sandbox at a time. */
  alone<T>(sessionId: string, work: () => Promise<T>): Promise<T>;
}

/** Why this session may not use the tool. The agent cannot bypass this check. */
export function toolRefusal(session: SandboxSession, tool: ToolDefinition): string | undefined {
  if (sandboxTools(session).some(({ name }) => name === tool.name)) return undefined;
  if (tool.modes.length === 1 && tool.modes[0] === "setup") return `${tool.name} is only available in setup sessions.`;
  if (tool.name === "automation_complete" && session.clientType !== "automation")
    return `${tool.name} is only available in automation sessions.`;
  return `${tool.name} is not available in this session.`;
}

export function effectOf(
  deps: ToolDeps,
  session: SandboxSession,
  tool: ToolDefinition,
  callId: string,
  args: unknown,
): ToolEffect {
  const parsed = tool.args.safeParse(args);
  if (!parsed.success) {
    const why = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join(", ");
    return direct({ kind: "refused", result: { success: false, result: `Invalid arguments: ${why}` } });
  }
  const { data } = parsed;
  switch (tool.name) {
    case "save_service_commands":
      return direct({ kind: "service_commands", commands: data["commands"] as ServiceCommand[] });
    case "save_env_files":
      return direct({ kind: "env_files", files: data["files"] as EnvFile[] });
    case "automation_complete": {
      const completion = data as Completion;
      return direct({
        kind: "completion",
        completion,
        hash: sha256(canonicalJson(completion)),
        open: deps.openRuns,
      });
    }
    case "verify":
      return {
        kind: "world",
        perform: async () =>
          collectEvidence(
            deps,
            await deps.sandbox(session),
            session.id,
            data["folder"] as string | undefined,
            deps.known,
          ),
        // Stored by content: performing it again adds nothing.
        reconcile: async () => ({ kind: "not_begun" }),
      };
    case "save_snapshot": {
      const request = { session, callId, message: (data["message"] as string | undefined) ?? "", adopt: true };
      return {
        kind: "world",
        perform: () => deps.alone(session.id, async () => snapshotNow(deps, request)),
        reconcile: () => findSnapshot(deps, request),
      };
    }
    default:
      return fail("not_found", `Unknown tool: ${tool.name}`);
  }
}

/** Takes a snapshot without the values of the session. The caller holds the sandbox alone. */
export async function snapshotNow(deps: ToolDeps, request: Parameters<typeof takeSnapshot>[2]) {
  const { configurationId, id } = request.session;
  const configuration = configurationId === null ? undefined : await deps.store.configuration(configurationId);
  const values = [...deps.known.of(id), ...Object.values(await storedValues(deps, configurationId))];
  const scrub = { files: secretFilesOf(configuration), values };
  return takeSnapshot(deps, await deps.sandbox(request.session), request, scrub);
}

const direct = (effect: Extract<ToolEffect, { kind: "direct" }>["effect"]): ToolEffect => ({
  kind: "direct",
  effect,
});
