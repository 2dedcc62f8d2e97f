// Runs a command that a person or a verifier asked for on a run, after its class is known (S-9). Risky ones wait for a
// gate. A verifier's command runs on a copy of the work, which is thrown away.
import {
  type CheckSpec,
  type CommandClass,
  type CommandOutcome,
  type CommandVerdict,
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  type PermissionDecision,
  type Policy,
  fail,
} from "../../core/contract/index.ts";
import { putLog } from "./redaction.ts";
import { runOnTree } from "./checks/on-tree.ts";
import type { EffectDeps } from "./deps.ts";

const maxOutputBytes = 4 << 20;

export async function runCommand(
  deps: EffectDeps,
  effect: EffectOf<"run_command">,
  context: EffectContext,
): Promise<EffectOutcome> {
  // On a copy, in a sandbox: what a command does to the copy is no question.
  const confined = effect.onCopy !== undefined && (await deps.commands.confinement()) !== "none";
  const verdict = await deps.classify(effect.argv, effect.cwd, confined ? "worktree" : "checkout");
  const free = isFree(verdict, effect.policy);
  if (verdict.gated && !effect.allowed && !free)
    return { kind: "run_command_gated", class: verdict.class, why: verdict.why };
  const reads = verdict.class === "read_only";
  if (effect.onCopy && !confined && !reads && !effect.allowed)
    return { kind: "run_command_gated", class: verdict.class, why: unconfined };
  if (effect.begun)
    return fail("conflict", "The process that ran this command is gone, and what the command did is unknown.", {
      remedy: "Look at what it changed, then ask for it again if it is still wanted.",
    });
  // On a copy, an interrupted command is simply run again, unless it reaches beyond the copy.
  if (!reads && !(effect.onCopy && verdict.class === "local_write")) {
    await context.began();
    await context.fence();
  }
  const network = (effect.allowed || free) && needsNetwork(verdict.class);
  const ran = await (effect.onCopy
    ? runOnCopy(deps, effect, effect.onCopy, network, context)
    : runInCheckout(deps, effect, reads, network, context));
  const command = effect.argv.map(deps.text.redact).join(" ");
  return {
    kind: "run_command",
    command: {
      argv: effect.argv.map(deps.text.redact),
      cwd: effect.cwd,
      exitCode: ran.exitCode,
      ended: ran.ended,
      durationMs: ran.durationMs,
      stdout: await putLog(deps, ran.stdout, `stdout of ${command}`),
      stderr: await putLog(deps, ran.stderr, `stderr of ${command}`),
      permission: permission(verdict.class, verdict.gated && !free, verdict.why),
      sandbox: ran.sandbox.note === undefined ? ran.sandbox.kind : `${ran.sandbox.kind}: ${ran.sandbox.note}`,
    },
  };
}

const unconfined =
  "it may write, and nothing on this machine keeps it inside the copy of the work (bubblewrap is missing)";

function runInCheckout(
  deps: EffectDeps,
  effect: EffectOf<"run_command">,
  reads: boolean,
  network: boolean,
  { signal }: EffectContext,
): Promise<CommandOutcome> {
  const { root: top } = deps;
  const cwd = effect.cwd === "" || effect.cwd === "." ? top : `${top}/${effect.cwd}`;
  const { checkTimeoutMs: timeoutMs } = effect.policy.budgets;
  const writable = reads ? [] : [top];
  return deps.commands.run({
    argv: effect.argv,
    cwd,
    writable,
    network,
    timeoutMs,
    maxOutputBytes,
    signal,
  });
}

/** As checks run: the tree alone, with the packages of the checkout lent to it. */
async function runOnCopy(
  deps: EffectDeps,
  { sideId, argv, cwd }: EffectOf<"run_command">,
  { tree, timeoutMs }: NonNullable<EffectOf<"run_command">["onCopy"]>,
  network: boolean,
  { runId, signal, progress }: EffectContext,
): Promise<CommandOutcome> {
  const source = "verifier";
  const spec: CheckSpec = {
    id: `${source}:${sideId}`,
    kind: "other",
    argv: [...argv],
    cwd,
    source,
    timeoutMs,
  };
  const request = { runId, spec, tree, signal, onOutput: progress };
  const { command } = await runOnTree(deps, request, { network });
  return command;
}

/** A verdict lists at most this many parts: a longer line may hold more. */
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
