// evolve: state and event to state. No rule lives here, only the meaning of each event for the known facts.
import type { ArtifactRef, Recorded, RunEvent, RunEventType } from "../../contract/index.ts";
import { type At, type Run, emptySide, newPass } from "../state/index.ts";
import { approvals } from "./approvals.ts";
import { side } from "./side.ts";
import { calls } from "./calls.ts";
import { phases } from "./phases.ts";
import { type EvolveTable, impossible } from "./table.ts";
import { work } from "./work.ts";

const table: EvolveTable<Exclude<RunEventType, "run_created">> = {
  ...phases,
  ...approvals,
  ...calls,
  ...work,
  ...side,
};

/** How many of the latest events a status shows. */
const recentEvents = 12;

/** Keys in the order of the log, so that a state before the append equals the state that readers of the log fold. */
function inOrder<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

function begin({ seq, at, event }: Recorded): Run {
  if (event.type !== "run_created") throw new Error(`A run's log begins with ${event.type} instead of run_created.`);
  const { maxIterations, maxTokens, maxMinutes, maxUsd } = event.policy.budgets;
  return {
    runId: event.runId,
    created: event,
    createdAt: at,
    updatedAt: at,
    seq,
    phase: { state: "created" },
    roles: inOrder(event.roles),
    agreement: null,
    authorised: [],
    startedPlan: null,
    spent: { responses: 0, tokens: 0, usd: 0, ms: 0 },
    limits: {
      responses: maxIterations,
      tokens: maxTokens,
      usd: maxUsd ?? null,
      ms: maxMinutes === null ? null : maxMinutes * 60_000,
    },
    refusals: {},
    base: { commit: event.baseCommit, tree: event.baseTree },
    inspection: null,
    before: null,
    checks: null,
    recheckedAt: 0,
    contexts: [],
    remote: null,
    plans: [],
    findings: [],
    calls: [],
    asking: null,
    trouble: null,
    again: null,
    limited: null,
    passes: [newPass(0, { seq, at }, null)],
    approvals: [],
    side: emptySide,
    switching: null,
    messages: [],
    widening: null,
    scope: {
      acceptanceCriteria: event.acceptanceCriteria,
      allowedPaths: event.policy.allowedPaths,
      disallowedPaths: event.policy.disallowedPaths,
      widened: [],
    },
    artifacts: refsIn(event).map((ref) => ({ ...ref, seq })),
    recent: [{ seq, at, type: event.type }],
    counters: { call: 0, gate: 0, revision: 0, side: 0 },
    report: null,
    packet: null,
    board: null,
    retired: null,
    blind: null,
    keepTests: null,
    request: null,
    ci: null,
    undo: null,
  };
}

function isRef(value: object): value is ArtifactRef {
  return "ref" in value && "mediaType" in value && "kind" in value && "bytes" in value;
}

/** Every artifact an event names, in the order it names them. */
export function refsIn(value: unknown): ArtifactRef[] {
  if (typeof value !== "object" || value === null) return [];
  if (isRef(value)) return [value];
  return Object.values(value).flatMap(refsIn);
}

function index(run: Run, event: RunEvent, seq: number): Run["artifacts"] {
  const known = new Set(run.artifacts.map(({ ref }) => ref));
  const found = refsIn(event).filter(({ ref }) => !known.has(ref) && known.add(ref));
  return found.length === 0 ? run.artifacts : [...run.artifacts, ...found.map((ref) => ({ ...ref, seq }))];
}

export function evolve(run: Run | undefined, recorded: Recorded): Run {
  const { seq, at, event } = recorded;
  if (!run) return begin(recorded);
  if (event.type === "run_created") impossible(run, "it is created twice");
  if (seq !== run.seq + 1) impossible(run, `event ${seq} follows ${run.seq}`);
  const apply = table[event.type] as (run: Run, event: RunEvent, at: At) => Run;
  const next = apply(run, event, { seq, at });
  return {
    ...next,
    seq,
    updatedAt: at,
    artifacts: index(next, event, seq),
    recent: [...next.recent, { seq, at, type: event.type }].slice(-recentEvents),
  };
}

export function fold(events: Iterable<Recorded>): Run | undefined {
  let run: Run | undefined;
  for (const recorded of events) run = evolve(run, recorded);
  return run;
}
