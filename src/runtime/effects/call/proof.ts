// Shows whether an agent that may not write the checkout wrote it: a print before, a print after, and its sandbox.
import type {
  CallOutcome,
  CallViolation,
  ProviderAnswer,
  ProviderCall,
  ProviderInvocation,
  ProviderPort,
} from "../../../core/contract/index.ts";
import { changedBetween, printCheckout } from "../../../workspace/checkout/git-folder-watch/index.ts";
import type { EffectDeps } from "../deps.ts";
import type { Concluded } from "./conclude.ts";

/** Tells the paths that were changed since the call began. */
export type ChangeWatch = () => Promise<readonly string[]>;

/** Only a program with a model can write at all, and one that works in the checkout itself may. */
export async function watchCheckout(
  { repository }: EffectDeps,
  { traits }: ProviderPort,
  { workspace }: ProviderCall,
): Promise<ChangeWatch | null> {
  const isBound = workspace.mode === "read_only" || workspace.mode === "worktree";
  if (!traits.modelBacked || traits.edits !== "worktree" || !isBound || !repository) return null;
  const before = await printCheckout(repository);
  return async () => changedBetween(before, await printCheckout(repository, before));
}

/** Our sandbox mounts the checkout read-only, so a change there was made by another process. */
export const mayHaveWritten = (invocation: ProviderInvocation | undefined): boolean =>
  invocation?.sandbox !== "bubblewrap";

/** The paths of the git folder that the worker can have written; undefined when that is not known. */
export const writtenBy = ({ invocation, gitFolder }: ProviderAnswer): readonly string[] | undefined =>
  mayHaveWritten(invocation) ? gitFolder : [];

export function violationOf({ call, answer, touched, changed }: Concluded): CallOutcome | undefined {
  if (touched.length > 0) {
    const why = `the worker changed what steers git for everyone (${few(touched)}); it was put back, and a copy of each is kept`;
    return failed(why, { kind: "git_folder_changed", paths: touched.slice(0, 100) });
  }
  if (changed.length === 0 || !mayHaveWritten(answer.invocation)) return undefined;
  const asked = call.workspace.mode === "read_only" ? "was only to read" : "was to work in its own worktree";
  const why = `the checkout was changed while an agent that ${asked} was at it, and no sandbox kept it from that (${few(changed)})`;
  return failed(why, { kind: "checkout_changed", paths: changed.slice(0, 100) });
}

const few = (paths: readonly string[]): string =>
  paths.slice(0, 5).join(", ") + (paths.length > 5 ? ` and ${paths.length - 5} more` : "");

const failed = (why: string, violation: CallViolation): CallOutcome => ({
  result: "failed",
  why,
  timedOut: false,
  violation,
});
