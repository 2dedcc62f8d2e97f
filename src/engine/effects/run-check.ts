// Runs one check on one tree and records all of it: command, folder, end, and the permission for it.
import type { CheckEvidence, EffectContext, EffectOf, EffectOutcome } from "../../contract/index.ts";
import { definesChecks, protectedGlobs } from "./patch/paths.ts";
import { putLog } from "./redaction.ts";
import type { EffectPorts } from "./ports.ts";

export async function runCheck(
  ports: EffectPorts,
  effect: EffectOf<"run_check">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { check, variant } = effect;
  const command = check.argv.join(" ");
  context.progress(`${variant}: ${command}`);
  const extra = protectedGlobs(context.created.policy, effect.checkFiles);
  const tree =
    variant === "guarded"
      ? await ports.checks.guard(effect.baseTree, effect.tree, (path) => definesChecks(path, extra))
      : effect.tree;
  const verdict = await ports.classify(check.argv);
  const request = {
    runId: context.runId,
    spec: { ...check, timeoutMs: effect.timeoutMs },
    tree,
    signal: context.signal,
    onOutput: context.progress,
  };
  const plain = await ports.checks.run(request);
  const control = await controlOf(ports, effect, context, request, plain);
  const ran = judged(plain, control);
  const { sandbox } = ran.command;
  const cut = ran.result === "timed_out" && effect.timeoutMs < check.timeoutMs;
  const result: CheckEvidence = {
    checkId: check.id,
    kind: check.kind,
    variant,
    // The tree under judgement; a guarded run judges it on the tree its note names.
    tree: effect.tree,
    result: ran.result,
    argv: check.argv,
    cwd: check.cwd,
    exitCode: ran.command.exitCode,
    durationMs: ran.command.durationMs,
    testsRun: ran.testsRun,
    ...(ran.silentFiles ? { silentFiles: ran.silentFiles } : {}),
    stdout: await putLog(ports, ran.command.stdout, `stdout of ${command} on the ${variant} tree`, "strip"),
    stderr: await putLog(ports, ran.command.stderr, `stderr of ${command} on the ${variant} tree`, "strip"),
    sandbox: sandbox.note === undefined ? sandbox.kind : `${sandbox.kind}: ${sandbox.note}`,
    permission: {
      decision: "allowed_by_policy",
      class: verdict.class,
      why: `a check of the ${check.source === "config" ? "configuration" : "base commit"}, run on a scratch tree without network`,
    },
    note: noteOf(
      cut ? { ...ran, why: "the run's time was used up" } : ran,
      tree === effect.tree ? null : tree,
    ),
    ...(control ? { control } : {}),
    ...(cut ? { cut } : {}),
  };
  return { kind: "run_check", result };
}

type Ran = Awaited<ReturnType<EffectPorts["checks"]["run"]>>;
type Request = Parameters<EffectPorts["checks"]["run"]>[0];

/** Under the base commit's rules: can it still say no? With the work's own tests: does it reach the change? Both at once
 * where the work leaves the rules alone. */
async function controlOf(
  ports: EffectPorts,
  { variant, baseTree, tree, checkFiles }: EffectOf<"run_check">,
  { created }: EffectContext,
  request: Request,
  plain: Ran,
): Promise<CheckEvidence["control"]> {
  if (variant === "base" || plain.result !== "passed" || request.tree === baseTree) return undefined;
  if (created.policy.sabotage === "off") return "off";
  const extra = protectedGlobs(created.policy, checkFiles);
  const guarded =
    variant === "guarded"
      ? request.tree
      : await ports.checks.guard(baseTree, tree, (path) => definesChecks(path, extra));
  const asks = variant === "guarded" ? "still_says_no" : guarded === tree ? "both" : "reaches";
  const { tookMs: durationMs, testsRun } = plain;
  return ports.checks.control({ ...request, baseTree, asks, ran: { durationMs, testsRun } });
}

/** A check that the work has taught to keep silent is a check that fails. */
const judged = (ran: Ran, control: CheckEvidence["control"]): Ran & { readonly told?: true } =>
  control === undefined || control === "off" || control.weakened === null
    ? ran
    : {
        ...ran,
        result: "failed",
        why: `it passes, and no longer notices ${control.weakened}; on the base commit it does, so it proves nothing`,
        told: true,
      };

function noteOf(ran: { result: string; why: string; told?: true }, guarded: string | null): string | null {
  const where = guarded === null ? [] : [`ran on ${guarded}, this tree with the base commit's rules`];
  const why = (ran.result === "passed" || ran.result === "failed") && !ran.told ? [] : [ran.why];
  return [...why, ...where].join("; ") || null;
}
