// Where runs stand: the list, and one run. The list loads nothing that one run needs.
import { type RunRow, type Spell } from "../../../core/contract/index.ts";
import {
  withProcessState,
  offeredAnswer,
  numbersOf,
  rowBrief,
  stateText,
  compactRow,
  type Home,
  listRuns,
  type ListedRuns,
  type RunSnapshot,
} from "../../../operations/run-data/index.ts";
import type { Style } from "../../argv/index.ts";
import { renders, type HoodView } from "./view.ts";

export const ago = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} days ago`;
};

/** Control characters never reach the terminal, whatever a row says; the rows were written plain. */
export const safe = (text: string) =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, " ");

const isOver = (state: string): boolean => ["completed", "failed", "aborted"].includes(state);

type Brief = ReturnType<typeof rowBrief>;

/** A process works on it: then it can be watched. */
const isWorking = (next: Brief["next"]): boolean => next?.suggest === "watch";

/** The mark and the word of a row: what it needs, does, or came to. */
function markOf({ state }: RunRow, { stopReason, gate, undone, next }: Brief, style: Style): string {
  if (undone) return style.dim("↩ undone".padEnd(11));
  if (state === "awaiting_approval") return style.yellow(`◆ ${gateWords[offeredAnswer(gate)] ?? "decide"}?`.padEnd(11));
  if (stateText(state, stopReason) !== state) return style.yellow("? doubts".padEnd(11));
  if (state === "completed") return style.green("✔ done".padEnd(11));
  if (isOver(state)) return style.red(`✘ ${state}`.padEnd(11));
  return isWorking(next) ? style.cyan("● running".padEnd(11)) : style.yellow("■ stopped".padEnd(11));
}

const gateWords: Readonly<Record<string, string>> = { approve: "decide", revise: "revise", retry: "retry" };

/** The columns that a goal keeps. */
const leastGoal = 22;

/** One line for a run; what is not plain from it stands behind the goal. */
function rowText(row: RunRow, id: string, { style, io }: Pick<HoodView, "style" | "io">): string {
  const brief = rowBrief(row);
  const columns = io.terminal ? Math.max(60, io.columns) : 160;
  const end = `  ${ago(Date.now() - row.updatedAt).replace(/ ago$/, "")}  ${id}`;
  let numbers = numbersOf(row);
  const tailOf = () => `${numbers.map((one) => `  ${one}`).join("")}${end}`;
  while (numbers.length > 0 && columns - 12 - tailOf().length < leastGoal) numbers = numbers.slice(0, -1);
  const tail = tailOf();
  // The mark says already that a result waits.
  const isPlain = row.state === "completed" || (row.state === "awaiting_approval" && brief.work !== undefined);
  const about = isPlain || !brief.doing ? "" : ` · ${safe(brief.doing)}`;
  const room = Math.max(8, columns - 12 - tail.length);
  const text = `${safe(row.goal)}${about}`;
  const fitted = text.length > room ? `${text.slice(0, room - 1)}…` : text;
  return `${markOf(row, brief, style)} ${fitted.padEnd(room)}${style.dim(tail)}\n`;
}

/** The shortest beginning that tells these runs apart; programs that read a pipe get whole ids. */
function shortIds(rows: readonly RunRow[], { io }: HoodView): (id: string) => string {
  if (!io.terminal) return (id) => id;
  let length = 12;
  while (length < 40 && new Set(rows.map(({ runId }) => runId.slice(0, length))).size < rows.length) length += 1;
  return (id) => id.slice(0, length);
}

async function listText(list: ListedRuns, view: HoodView): Promise<string> {
  const { sessions } = list;
  // Without a gateway nothing more is loaded.
  const beside = sessions.length === 0 ? "" : (await import("./sessions-text.ts")).sessionsText(sessions, view.style);
  return `${runsText(list, view)}${beside}`;
}

type Group = "Needs you" | "Running" | "Stopped" | "Ended today" | "Ended before";

function groupOf(row: RunRow, today: number): Group {
  if (row.state === "awaiting_approval") return "Needs you";
  if (isOver(row.state)) return row.updatedAt >= today ? "Ended today" : "Ended before";
  return isWorking(rowBrief(row).next) ? "Running" : "Stopped";
}

const groups: readonly Group[] = ["Needs you", "Running", "Stopped", "Ended today", "Ended before"];

function runsText({ total, rows, waiting, state, nextCursor }: ListedRuns, view: HoodView): string {
  const { style, spell } = view;
  if (rows.length === 0)
    return total > 0
      ? `None of the ${total} runs here is ${state ?? "older"}.\n`
      : `No runs here yet. Start one: thehood run "what you want done"\n`;
  const more =
    nextCursor === null
      ? ""
      : style.dim(`${rows.length} of ${total} runs; --limit shows more, --cursor ${nextCursor} the next\n`);
  const all = [...rows, ...waiting];
  const short = shortIds(all, view);
  const today = new Date().setHours(0, 0, 0, 0);
  const parts = groups.flatMap((group) => {
    const newest = all.filter((row) => groupOf(row, today) === group);
    // Who has waited longest comes first.
    const found = group === "Needs you" ? newest.toSorted((a, b) => a.updatedAt - b.updatedAt) : newest;
    return found.length === 0
      ? []
      : [
          `${style.bold(group)}\n`,
          ...found.map((row) => rowText(row, short(row.runId), view)),
          ...hint(group, found, spell, style),
        ];
  });
  return `${parts.join("")}${more}`;
}

/** The command that goes on with the first run of a group. */
function hint(group: Group, [first]: readonly RunRow[], spell: Spell, style: Style): string[] {
  if (!first || (group !== "Needs you" && group !== "Stopped")) return [];
  const brief = rowBrief(first);
  // At a terminal this command shows the gate and asks.
  const next =
    group === "Needs you" && brief.gate
      ? ({ suggest: "answer", answer: offeredAnswer(brief.gate), runId: first.runId } as const)
      : brief.next;
  return next ? [`  ${style.dim("→")} ${safe(spell(next))}\n`] : [];
}

const listJson = ({ total, rows, sessions, nextCursor }: ListedRuns) => ({
  schemaVersion: 1,
  ok: true,
  total,
  runs: rows.map((row) => compactRow(row)),
  ...(nextCursor === null ? {} : { nextCursor }),
  ...(sessions.length === 0 ? {} : { sessions }),
});

export const runs = renders<ListedRuns>({
  json: listJson,
  print: async (list, view) => view.io.out(await listText(list, view)),
});

interface Status {
  readonly list?: ListedRuns;
  readonly standing?: RunSnapshot;
}

export const status = renders<Status>({
  json: ({ list, standing }) =>
    list
      ? listJson(list)
      : standing
        ? { ok: true, ...withProcessState(standing.status, standing), activities: standing.activities }
        : {},
  async print({ list, standing }, view) {
    if (list) view.io.out(await listText(list, view));
    if (!standing) return;
    const { statusText } = await import("./run-text.ts");
    const gates = standing.status.gate ? await (await import("./gate-text.ts")).gateTexts(standing.runId, view) : [];
    const status = withProcessState(standing.status, standing);
    view.io.out(statusText(status, gates, view.style, view.spell, standing.activities));
  },
});

interface Top {
  readonly home: Home;
  readonly limit: number;
}

/** Without a terminal it prints the list of `status`. */
const listInstead = ({ limit }: Top, { context }: HoodView): Promise<ListedRuns> => listRuns(context, { limit });

export const top = renders<Top>({
  json: async (result, view) => listJson(await listInstead(result, view)),
  async print(result, view) {
    const { device, color, out } = view.io;
    if (!device || view.quiet) return out(await listText(await listInstead(result, view), view));
    const { openTop } = await import("../../terminal/index.ts");
    const { context, spell } = view;
    await openTop({ ...result, device: await device(), color, context, spell });
  },
});
