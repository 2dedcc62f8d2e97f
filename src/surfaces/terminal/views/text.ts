// Words and marks that several views use.
import type { FullView } from "../../../operations/index.ts";
import type { EventDescription } from "../../../operations/text/index.ts";
import { type Line, line, piece, type Piece } from "../text/line.ts";

const stateTones = { completed: "good", failed: "bad", aborted: "bad", awaiting_approval: "ask" } as const;

export const statePiece = (state: string): Piece =>
  piece(
    state.replaceAll("_", " "),
    state in stateTones ? stateTones[state as keyof typeof stateTones] : "info",
  );

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

type Staged = Pick<FullView, "responsibilities">;

const stagesOf = (view: Staged) =>
  inOrder(view).filter(
    ({ id, required, status }) =>
      names[id] !== undefined &&
      (required || (status !== "skipped" && status !== "advisory" && status !== "pending")),
  );

/** The stages that come after the present one. */
export function laterStages(view: Staged): readonly string[] {
  const open = stagesOf(view).filter(({ status }) => status !== "satisfied" && status !== "skipped");
  return open.slice(1).map(({ id }) => names[id] ?? id);
}

/** The stages of a run from left to right, each with its mark. */
export function stageBar(view: Staged): Line {
  return line(
    ...stagesOf(view).flatMap(({ id, status }, at) => {
      const tone = status in stageTones ? stageTones[status as keyof typeof stageTones] : ("dim" as const);
      return [piece(at > 0 ? " ─ " : "", "dim"), piece(`${stages[status]} ${names[id]}`, tone)];
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
