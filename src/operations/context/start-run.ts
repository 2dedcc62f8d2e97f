// Everything that can be said about a run before it starts.
import type { ApprovalMode, IntegrationOrder, Role, RunMode } from "../../core/contract/index.ts";

export interface StartRun {
  readonly goal: string;
  readonly mode: RunMode;
  readonly roles: Readonly<Partial<Record<Exclude<Role, "integrator">, string>>>;
  /** A ready-made team; roles named beside it go first. */
  readonly team?: string | undefined;
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  /** Shell lines; they replace the checks that would be found in the project. */
  readonly checks: readonly string[];
  /** The user waives validation for this run. */
  readonly noChecks: boolean;
  /** Checks that may stand as they are, named by their command. A check that this work breaks is never waived. */
  readonly waive: readonly string[];
  /** Files that only look like tests. */
  readonly productPaths: readonly string[];
  readonly allowedPaths: readonly string[];
  readonly disallowedPaths: readonly string[];
  readonly approvals?: ApprovalMode | undefined;
  /** `late` verifies work before it touches the checkout, `early` after. */
  readonly integrate?: IntegrationOrder | undefined;
  readonly maxIterations?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxMinutes?: number | undefined;
  readonly maxUsd?: number | undefined;
  /** The work is committed when the run completes, with signed evidence. */
  readonly commit?: boolean | undefined;
  /** The verified work becomes a commit on this new branch instead; the checkout is not touched. */
  readonly toBranch?: string | undefined;
  /** The script of the stub, as JSON. */
  readonly stubScript?: unknown;
  readonly preferredRole?: Exclude<Role, "integrator" | "implementer"> | undefined;
}
