// Opens a gate: a person is asked, and the hash of the shown text is recorded; or the user's policy passes the gate on
// the record.
import {
  type Agreement,
  type ArtifactRef,
  type Continuation,
  type DestinationBounds,
  type Doubt,
  type FailureClass,
  type Gate,
  type GateAnswer,
  type GateKind,
  type GatePart,
  type GateSubject,
  clip,
  plainLine,
  visibleText,
} from "../../contract/index.ts";
import { nameFor } from "../facts/index.ts";
import { type Decision, type MachineDeps, emit } from "../decision.ts";
import type { Run } from "../state/index.ts";
import { autoApproval, type GateFacts } from "./auto.ts";
import { gateTable } from "./table.ts";

export interface GateRequest {
  readonly kind: GateKind;
  readonly lane?: "main" | "side";
  /** The lines that the person must know. Text of models and repositories is stripped before it is shown. */
  readonly shown: readonly string[];
  readonly refs?: readonly ArtifactRef[];
  readonly phrase?: string | null;
  readonly answers?: readonly GateAnswer[];
  readonly about?: Pick<Gate, "callId" | "role" | "assignment" | "checkId" | "sideId" | "cause">;
  readonly failureClass?: FailureClass;
  /** All questions of a sheet; the kind of the request is that of the strictest. */
  readonly parts?: readonly GatePart[];
  readonly agreement?: Agreement;
  readonly remembers?: DestinationBounds;
  /** The doubts of the runtime, which stand first in the text. */
  readonly doubts?: readonly Doubt[];
  readonly title?: string;
  /** Nothing of `shown` is cut, however long it is (B-4). */
  readonly whole?: boolean;
  readonly continuation?: Continuation;
  /** Facts that the policy needs to know beside the kind. */
  readonly facts?: GateFacts;
}

/** The most characters of `shown`; refs, phrase and names always stand in full. */
const shownLimit = 12_000;

function subjectOf(run: Run, id: string, request: GateRequest, phrase: string | null, deps: MachineDeps): GateSubject {
  const refs = [...(request.refs ?? [])];
  const shown = request.shown.map((line) => visibleText(line)).join("\n");
  const lines = [
    request.title ?? gateTable[request.kind].title,
    `gate ${id} (${request.kind}) of ${run.runId}`,
    `goal: ${plainLine(run.created.goal, 1_000)}`,
    "",
    request.whole ? shown : clip(shown, shownLimit),
    ...(refs.length > 0 ? ["", "evidence:"] : []),
    ...refs.map((ref) => `- ${ref.kind} ${ref.ref} (${ref.bytes} bytes) ${plainLine(ref.summary, 200)}`),
    ...(phrase === null ? [] : ["", `the message must contain: ${phrase}`]),
  ];
  const text = lines.join("\n");
  return { sha256: deps.sha256(text), text, refs };
}

export function makeGate(run: Run, deps: MachineDeps, request: GateRequest): Gate {
  const rules = gateTable[request.kind];
  const id = nameFor(run, "gate");
  const phrase = request.phrase ?? null;
  return {
    id,
    kind: request.kind,
    lane: request.lane ?? "main",
    title: request.title ?? rules.title,
    phrase,
    subject: subjectOf(run, id, request, phrase, deps),
    answers: [...(request.answers ?? rules.answers)],
    continuation: request.continuation ?? rules.continuation,
    failureClass: request.failureClass ?? rules.failureClass,
    ...request.about,
    ...(request.parts ? { parts: [...request.parts] } : {}),
    ...(request.doubts && request.doubts.length > 0 ? { doubts: [...request.doubts] } : {}),
    ...(request.agreement ? { agreement: request.agreement } : {}),
    ...(request.remembers ? { remembers: request.remembers } : {}),
  };
}

/** Of several attempts a person takes one, in every mode. */
const isChoice = ({ created }: Run, { continuation }: Gate): boolean =>
  created.attempt !== undefined && continuation === "apply_patch";

export function openGate(run: Run, deps: MachineDeps, request: GateRequest): Decision {
  const gate = makeGate(run, deps, request);
  const auto = isChoice(run, gate) ? null : autoApproval(run.created.policy, request.kind, request.facts ?? {});
  if (auto === null) return emit({ type: "approval_required", gate });
  return emit({
    type: "approval_auto_approved",
    gate,
    approval: {
      gateId: gate.id,
      kind: gate.kind,
      answer: "approve",
      by: { kind: "policy", surface: "runtime" },
      message: auto,
      subjectSha256: gate.subject.sha256,
    },
    policyReason: auto,
    manifest: request.facts?.manifest?.manifest ?? null,
  });
}
