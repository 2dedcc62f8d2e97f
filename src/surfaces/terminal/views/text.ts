// Texts and marks that several views use: states, stages, counts and durations.
import type { FullView } from "../../../operations/index.ts";
import type { EventDescription } from "../../../operations/text/index.ts";
import { type Line, line, piece, type Piece, type Tone } from "../text/line.ts";

const stateTones = { completed: "good", failed: "bad", aborted: "bad", awaiting_approval: "ask" } as const;

export const statePiece = (state: string): Piece =>
  piece(state.replaceAll("_", " "), state in stateTones ? stateTones[state as keyof typeof stateTones] : "info");

const stages = {
  satisfied: "✔",
  in_progress: "●",
  ready: "●",
  blocked: "◆",
  pending: "·",
  skipped: "–",
  advisory: "·",
} as const;
const stageTones = { satisfied: "good", in_progress: "info", ready: "info", blocked: "ask" } as const;
const names: Readonly<Record<string, string>> = {
  plan: "plan",
  implement: "work",
  integrate: "apply",
  test: "checks",
  qa: "QA",
  verify: "verify",
  critique: "critic",
  complete: "done",
};

/** Work is applied after the reviews. */
function inOrder({ responsibilities }: Staged) {
  const last = responsibilities.filter(({ id }) => id === "integrate" || id === "complete");
  return [...responsibilities.filter((one) => !last.includes(one)), ...last];
}

type Staged = Pick<FullView, "responsibilities" | "reviewLanes">;

const laneOf = { qa: "qa", critique: "critic" } as const;

/** An advisory review is shown by its verdict. */
function markOf({ reviewLanes }: Staged, { id, status }: Staged["responsibilities"][number]): readonly [string, Tone] {
  if (status === "advisory" && id in laneOf) {
    const { state } = reviewLanes.find((lane) => lane.id === laneOf[id as keyof typeof laneOf]) ?? {};
    if (state === "satisfied") return ["✔", "good"];
    if (state === "needs_revision" || state === "failed" || state === "blocked") return ["✘", "ask"];
  }
  return [stages[status], status in stageTones ? stageTones[status as keyof typeof stageTones] : "dim"];
}

/** A critic is asked only where something triggers it. */
const isLikely = ({ id, status }: Staged["responsibilities"][number]): boolean =>
  status !== "skipped" && status !== "pending" && !(id === "critique" && status === "ready");

const stagesOf = (view: Staged) =>
  inOrder(view).filter((one) => names[one.id] !== undefined && (one.required || isLikely(one)));

/** The stages after the current one. */
export function laterStages(view: Staged): readonly string[] {
  const open = stagesOf(view).filter(({ status }) => status !== "satisfied" && status !== "skipped");
  return open.slice(1).map(({ id }) => names[id] ?? id);
}

const underWay = ["in_progress", "ready"];

/** The stages of a run from left to right, each with its mark. */
export function stageBar(view: Staged): Line {
  return line(
    ...stagesOf(view).flatMap((stage, at, all) => {
      // A stage could begin, and one before it is not over.
      const waits = stage.status === "ready" && all.slice(0, at).some(({ status }) => underWay.includes(status));
      const [mark, tone] = waits ? ([stages.pending, "dim"] as const) : markOf(view, stage);
      return [piece(at > 0 ? " ─ " : "", "dim"), piece(`${mark} ${names[stage.id]}`, tone)];
    }),
  );
}

export const thousands = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");

const eventMarks: Readonly<Record<EventDescription["mark"], Piece>> = {
  ok: piece("✔ ", "good"),
  bad: piece("✘ ", "bad"),
  ask: piece("◆ ", "ask"),
  info: piece("· ", "dim"),
};

export const markPiece = (mark: EventDescription["mark"]): Piece => eventMarks[mark];

const minute = 60_000;

/** `34 s`, `12 min`, `2 h`, `3 days`. */
export function lasting(ms: number): string {
  const most = Math.max(0, ms);
  if (most < minute) return `${Math.floor(most / 1_000)} s`;
  if (most < 60 * minute) return `${Math.floor(most / minute)} min`;
  if (most < 2_880 * minute) return `${Math.floor(most / (60 * minute))} h`;
  return `${Math.floor(most / (1_440 * minute))} days`;
}

/** Minutes with their seconds, for current work. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** `12:03:59` in local time. */
export const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);
