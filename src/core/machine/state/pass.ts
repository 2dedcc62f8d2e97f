// One pass of the worker and everything that was found about it. A repair opens a new pass: nothing old counts for it.
import type {
  Actor,
  BlindTests,
  CapturedPatch,
  CheckEvidence,
  CheckSpec,
  CheckoutState,
  CriticTrigger,
  GitEvidence,
  IntegrationReport,
  PatchJudgement,
  ReviewRouting,
  RevisionPacket,
  ValidationSummary,
} from "../../contract/index.ts";
import type { At } from "./run.ts";

export interface Waiver extends At {
  readonly checkId: string;
  readonly command: string;
  readonly tree: string;
  readonly by: Actor;
  readonly message: string;
}

export interface Pass extends At {
  /** Pass 0 is before any work: a run that verifies without work stays in it. */
  readonly number: number;
  /** The packet that asked for this pass. */
  readonly revision: (RevisionPacket & At) | null;
  /** The call with the worker's accepted response. */
  readonly callId: string | null;
  readonly captured:
    | ({
        readonly patch: CapturedPatch | null;
        readonly keptRef: string | null;
        /** Built again on a checkout that moved, from these very bytes, which were captured then. */
        readonly sameSince?: number;
      } & At)
    | null;
  readonly judgement: (PatchJudgement & At) | null;
  readonly applyApproved: boolean;
  readonly integration: (IntegrationReport & At) | null;
  /** The looks at the checkout around the integration. */
  readonly looks: readonly (CheckoutState & At)[];
  /** The checkout moved, and this pass does not fit it any more. */
  readonly conflict:
    | ({ readonly tree: string; readonly paths: readonly string[]; readonly message: string } & At)
    | null;
  readonly protectedApproved: boolean;
  readonly evidence: (GitEvidence & At) | null;
  /** Checks as the work itself defines them, when it changes the files that define them. */
  readonly workChecks: readonly CheckSpec[] | null;
  readonly checks: readonly (CheckEvidence & At)[];
  readonly validation: (ValidationSummary & At) | null;
  readonly waivers: readonly Waiver[];
  /** The blind tests on this work, and the answer that holds them. */
  readonly blindTests: (BlindTests & { readonly callId: string | null } & At) | null;
  readonly routing: (ReviewRouting & At) | null;
  readonly qa: string | null;
  /**
   * The call with the verdict. A long diff goes to the verifier in parts: then this call is about the last part, or about
   * the first part without approval. `verifierAnswers` also gives the calls about the parts before.
   */
  readonly verifier: string | null;
  /** A person saw the contradiction that the worker names, and the work goes on as it is. */
  readonly contradictionSeen: boolean;
  /** The calls in which each reviewer found earlier parts of a long diff to be in order. */
  readonly readParts: Readonly<Record<"qa" | "verifier" | "critic", readonly string[]>>;
  /** The calls in which the verifier asked for commands instead of giving its verdict. */
  readonly asksToRun: readonly string[];
  readonly trigger: (CriticTrigger & At) | null;
  readonly critic: string | null;
  readonly criticCleared: boolean;
  readonly accepted: ({ readonly tree: string; readonly by: Actor; readonly message: string } & At) | null;
  /** The packet that ended this pass. */
  readonly outcome: (RevisionPacket & At) | null;
}

/** The part of a pass that reviewers fill. */
export const unreviewed = {
  qa: null,
  verifier: null,
  readParts: { qa: [], verifier: [], critic: [] },
  asksToRun: [],
  trigger: null,
  critic: null,
  criticCleared: false,
  accepted: null,
} satisfies Partial<Pass>;

export function newPass(number: number, at: At, revision: (RevisionPacket & At) | null): Pass {
  return {
    ...at,
    number,
    revision,
    callId: null,
    captured: null,
    judgement: null,
    applyApproved: false,
    integration: null,
    looks: [],
    conflict: null,
    protectedApproved: false,
    contradictionSeen: false,
    evidence: null,
    workChecks: null,
    checks: [],
    validation: null,
    waivers: [],
    blindTests: null,
    routing: null,
    ...unreviewed,
    outcome: null,
  };
}
