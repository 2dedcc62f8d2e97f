// A run over time: a lane for each agent, one for the runtime, one for the person. A bar shows whose time it was: the
// runtime worked, a provider was waited for, a person was waited for. Stretches in which nothing moved are folded.
import { roleTable, type ArtifactRef, type Recorded, type RunEvent, type CheckEvidence } from "../../contract/index.ts";
import { describeEvent, type EventDescription } from "./describe-event.ts";

export type Whose = "worked" | "provider" | "you";

export interface Bar {
  readonly lane: string;
  readonly whose: Whose;
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  /** The event that ends it, or the one that began it while it goes on: its evidence is shown beside. */
  readonly seq: number;
  readonly label: string;
  readonly mark: EventDescription["mark"];
}

export interface Moment {
  readonly seq: number;
  readonly at: number;
  readonly lane: string;
  readonly type: RunEvent["type"];
  readonly text: string;
  readonly mark: EventDescription["mark"];
  /** Of use to a reader of the log only. */
  readonly quiet: boolean;
  /** The artifacts that it names. */
  readonly refs: readonly Pick<ArtifactRef, "ref" | "kind" | "summary">[];
}

export interface Timeline {
  readonly from: number;
  /** The end of the run; null while it goes on. */
  readonly to: number | null;
  readonly lanes: readonly { readonly id: string; readonly label: string }[];
  readonly bars: readonly Bar[];
  readonly moments: readonly Moment[];
  readonly folds: readonly { readonly from: number; readonly to: number }[];
  readonly spent: Readonly<Record<Whose, number>>;
}

const runtime = "runtime";
const you = "you";

/** The artifacts inside an event, wherever its shape holds them. */
function refsIn(value: unknown, found: ArtifactRef[] = [], depth = 0): ArtifactRef[] {
  if (typeof value !== "object" || value === null || depth > 6) return found;
  if ("ref" in value && "kind" in value && typeof value.ref === "string" && value.ref.startsWith("sha256:"))
    found.push(value as ArtifactRef);
  else for (const inner of Object.values(value)) refsIn(inner, found, depth + 1);
  return found;
}

function laneOf(event: RunEvent, calls: ReadonlyMap<string, string>): string {
  switch (event.type) {
    case "agent_asked":
      return event.call.role;
    case "agent_response":
      return event.role;
    case "approval_required":
    case "approval_recorded":
    case "work_accepted_by_user":
    case "validation_waived":
    case "budget_extended":
      return you;
    default:
      return "callId" in event && typeof event.callId === "string" ? (calls.get(event.callId) ?? runtime) : runtime;
  }
}

class Bars {
  readonly bars: Bar[] = [];
  readonly #open = new Map<string, Bar>();

  begin(key: string, bar: Omit<Bar, "to">): void {
    if (!this.#open.has(key)) this.#open.set(key, { ...bar, to: null });
  }

  end(key: string, { seq, at }: Recorded, { mark, text }: EventDescription): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    this.bars.push({ ...open, to: at, seq, mark, label: text });
  }

  add(bar: Bar): void {
    this.bars.push(bar);
  }

  /** Bars that nothing has ended: they go on, or ended with the run. */
  all(end: number | null): Bar[] {
    return [...this.bars, ...[...this.#open.values()].map((bar) => ({ ...bar, to: end }))];
  }
}

function follow(bars: Bars, entry: Recorded, described: EventDescription, calls: ReadonlyMap<string, string>): void {
  const { event, at, seq } = entry;
  const common = { from: at, seq, label: described.text, mark: described.mark };
  switch (event.type) {
    case "approval_required":
      return bars.begin(event.gate.id, { ...common, lane: you, whose: "you" });
    case "approval_recorded":
      return bars.end(event.approval.gateId, entry, described);
    case "provider_wait_posted":
      return bars.begin(event.callId, {
        ...common,
        lane: calls.get(event.callId) ?? runtime,
        whose: "provider",
        label: `waits for ${event.record.target}`,
      });
    case "agent_response":
      return bars.end(event.callId, entry, described);
    case "check_executed":
    case "command_executed":
      return bars.add({ ...common, lane: runtime, whose: "worked", from: at - event.tookMs, to: at });
    default:
      return undefined;
  }
}

/** A stretch without an event is folded when it is longer than this and only a person could have moved the run. */
const foldMs = 120_000;

function foldsOf(entries: readonly Recorded[], bars: readonly Bar[]): Timeline["folds"] {
  const busy = bars.filter(({ whose }) => whose !== "you");
  return entries.flatMap(({ at }, index) => {
    const next = entries[index + 1]?.at;
    if (next === undefined || next - at < foldMs) return [];
    const moving = busy.some(({ from, to }) => from < next && (to ?? Infinity) > at);
    return moving ? [] : [{ from: at, to: next }];
  });
}

const ends: readonly RunEvent["type"][] = ["run_completed", "run_failed", "run_aborted"];

export function timeline(entries: readonly Recorded[]): Timeline {
  const calls = new Map<string, string>();
  const bars = new Bars();
  const moments = entries.map((entry): Moment => {
    const { event, seq, at } = entry;
    if (event.type === "agent_asked") calls.set(event.call.callId, event.call.role);
    const described = describeEvent(event);
    follow(bars, entry, described, calls);
    const refs = refsIn(event).map(({ ref, kind, summary }) => ({ ref, kind, summary }));
    const { mark, text, quiet = false } = described;
    return { seq, at, lane: laneOf(event, calls), type: event.type, text, mark, quiet, refs };
  });
  const to = entries.findLast(({ event }) => ends.includes(event.type))?.at ?? null;
  const all = bars.all(to);
  const now = to ?? entries.at(-1)?.at ?? 0;
  const spent = { worked: 0, provider: 0, you: 0 };
  for (const { whose, from, to: end } of all) spent[whose] += Math.max(0, (end ?? now) - from);
  const used = new Set([runtime, ...all.map(({ lane }) => lane), ...moments.map(({ lane }) => lane)]);
  const labels: Readonly<Record<string, string>> = { runtime: "Runtime", you: "You" };
  const lanes = [you, ...Object.keys(roleTable), runtime]
    .filter((id) => used.has(id))
    .map((id) => ({ id, label: labels[id] ?? roleTable[id as keyof typeof roleTable].label }));
  return { from: entries[0]?.at ?? 0, to, lanes, bars: all, moments, folds: foldsOf(entries, all), spent };
}

export interface PassView {
  readonly pass: number;
  readonly seq: number;
  /** From the base to this pass. */
  readonly full: string | null;
  /** From the pass before to this one; the same as `full` on the first. */
  readonly step: string | null;
  readonly paths: readonly string[];
}

export interface CheckView extends Pick<
  CheckEvidence,
  "checkId" | "kind" | "variant" | "result" | "exitCode" | "durationMs" | "testsRun" | "sandbox" | "note"
> {
  readonly seq: number;
  readonly pass: number;
  readonly command: string;
  readonly tree: string;
  readonly stdout: string | null;
  readonly stderr: string | null;
}

export const passViews = (entries: readonly Recorded[]): PassView[] =>
  entries.flatMap(({ event, seq }) =>
    event.type === "isolated_patch_captured"
      ? [
          {
            pass: event.pass,
            seq,
            full: event.patch?.full.ref ?? null,
            step: event.patch?.patch.ref ?? null,
            paths: event.patch?.changedPaths ?? [],
          },
        ]
      : [],
  );

export const checkViews = (entries: readonly Recorded[]): CheckView[] =>
  entries.flatMap(({ event, seq }) => {
    if (event.type !== "check_executed") return [];
    const { checkId, kind, variant, result, exitCode, durationMs, testsRun, sandbox, note, ...check } = event.check;
    return [
      {
        seq,
        pass: event.pass,
        command: check.argv.join(" "),
        tree: check.tree,
        stdout: check.stdout?.ref ?? null,
        stderr: check.stderr?.ref ?? null,
        checkId,
        kind,
        variant,
        result,
        exitCode,
        durationMs,
        testsRun,
        sandbox,
        note,
      },
    ];
  });
