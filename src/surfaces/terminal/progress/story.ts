// The story of a run: one short line for each event that advanced it.
import { plainLine, type Role, type RunEvent, type StoredEvent } from "../../../core/contract/index.ts";
import { describeEvent, type EventDescription } from "../../../operations/text/index.ts";
import { type Line, line, wrapLine } from "../text/line.ts";
import { markPiece } from "../views/text.ts";

type StoryLine = Pick<EventDescription, "mark" | "text">;
type Answered = Extract<RunEvent, { type: "agent_response" }>;
type Checked = Extract<RunEvent, { type: "check_executed" }>;

/** The roles whose positive answers are shown; the others are shown when they object. */
const leading: readonly Role[] = ["planner", "implementer", "verifier", "researcher"];

function answered(event: Answered): StoryLine | undefined {
  const { mark } = describeEvent(event);
  const { role, outcome } = event;
  if (outcome.result !== "accepted") return { mark, text: `${role}: ${describeEvent(event).text}` };
  if (mark === "ok" && !leading.includes(role)) return undefined;
  return { mark, text: `${role}: ${outcome.summary}` };
}

/** A check that fails before the work is not an error. */
function checked({ check }: Checked): StoryLine {
  const command = check.argv.join(" ");
  const took = `${(check.durationMs / 1_000).toFixed(1)} s`;
  const seconds = check.reused ? `${took}, measured earlier` : took;
  const result = check.result.replaceAll("_", " ");
  return check.variant === "base"
    ? { mark: "info", text: `${command} before the work: ${result} (${seconds})` }
    : {
        mark: check.result === "passed" ? "ok" : "bad",
        text: `${command} with the work${check.variant === "guarded" ? " and the old tests" : ""}: ${result} (${seconds})`,
      };
}

/** Events whose content is in the lines around them. */
const hidden: readonly RunEvent["type"][] = [
  "approval_required",
  "isolated_patch_captured",
  "integration_patch_prepared",
  "revision_packet_written",
  "run_completed",
];

export interface StoryLines {
  /** Empty for an event that only the log shows. */
  lines(stored: StoredEvent<RunEvent>, columns: number): readonly Line[];
}

export function createStory(): StoryLines {
  /** The question of each gate, by its id. */
  const titles = new Map<string, string>();
  function lineOf(event: RunEvent): StoryLine | undefined {
    if (event.type === "approval_required") titles.set(event.gate.id, event.gate.title);
    if (event.type === "agent_response") return answered(event);
    if (event.type === "check_executed") return checked(event);
    if (event.type === "approval_recorded") {
      const { answer, gateId, kind, by } = event.approval;
      const name = by.kind === "person" && by.name === undefined ? "you" : (by.name ?? by.kind);
      return { mark: "ok", text: `${name}: ${answer} “${titles.get(gateId) ?? kind.replaceAll("_", " ")}”` };
    }
    const { mark, text, quiet } = describeEvent(event);
    return quiet || mark === "info" || hidden.includes(event.type) ? undefined : { mark, text };
  }
  return {
    lines({ event }, columns) {
      const found = lineOf(event);
      return found ? wrapLine(line(markPiece(found.mark), plainLine(found.text, 400)), columns - 1, "  ") : [];
    },
  };
}
