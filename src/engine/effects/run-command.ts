// Runs a command a person asked for on a run, after its class is known (S-9). Risky ones wait for a gate.
import {
  type CommandClass,
  type CommandVerdict,
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  type PermissionDecision,
  type Policy,
  fail,
} from "../../contract/index.ts";
import { putLog } from "./redaction.ts";
import type { EffectPorts } from "./ports.ts";

const maxOutputBytes = 4 << 20;

export async function runCommand(
  ports: EffectPorts,
  effect: EffectOf<"run_command">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const verdict = await ports.classify(effect.argv);
  const free = isFree(verdict, effect.policy);
  if (verdict.gated && !effect.allowed && !free)
    return { kind: "run_command_gated", class: verdict.class, why: verdict.why };
  if (effect.begun)
    return fail(
      "conflict",
      "The process that ran this command is gone, and what the command did is unknown.",
      {
        remedy: "Look at what it changed, then ask for it again if it is still wanted.",
      },
    );
  if (verdict.class !== "read_only") {
    await context.began();
    await context.fence();
  }
  const { top } = ports.repository;
  const cwd = effect.cwd === "" || effect.cwd === "." ? top : `${top}/${effect.cwd}`;
  const ran = await ports.commands.run({
    argv: effect.argv,
    cwd,
    writable: verdict.class === "read_only" ? [] : [top],
    network: (effect.allowed || free) && needsNetwork(verdict.class),
    timeoutMs: effect.policy.budgets.checkTimeoutMs,
    maxOutputBytes,
    signal: context.signal,
  });
  const command = effect.argv.map(ports.text.redact).join(" ");
  return {
    kind: "run_command",
    command: {
      argv: effect.argv.map(ports.text.redact),
      cwd: effect.cwd,
      exitCode: ran.exitCode,
      ended: ran.ended,
      durationMs: ran.durationMs,
      stdout: await putLog(ports, ran.stdout, `stdout of ${command}`),
      stderr: await putLog(ports, ran.stderr, `stderr of ${command}`),
      permission: permission(verdict.class, verdict.gated && !free, verdict.why),
      sandbox: ran.sandbox.note === undefined ? ran.sandbox.kind : `${ran.sandbox.kind}: ${ran.sandbox.note}`,
    },
  };
}

/** The longest list of parts that a verdict tells: a longer line may hold more. */
const mostParts = 24;

/** The user's policy asks about neither installs nor the network, and the line holds nothing else that is asked about. */
function isFree({ class: worst, parts }: CommandVerdict, policy: Policy): boolean {
  const free = (name: CommandClass): boolean =>
    (name === "network" && !policy.networkRequiresApproval) ||
    (name === "dependency_install" && !policy.dependencyInstallRequiresApproval);
  if (!free(worst) || parts.length >= mostParts) return false;
  return parts.every((part) => part.class === "read_only" || free(part.class));
}

const needsNetwork = (name: CommandClass): boolean =>
  name === "network" || name === "dependency_install" || name === "unknown" || name === "destructive";

function permission(name: CommandClass, gated: boolean, why: string): PermissionDecision {
  return { decision: gated ? "allowed_explicit_user" : "allowed", class: name, why };
}
