// Where runs stand: the list, and one run. The list loads nothing that one run needs.
import { type RunRow, type Spell } from "../../../core/contract/index.ts";
import {
  withProcessState,
  offeredAnswer,
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

const paints: Readonly<Record<string, (style: Style) => (text: string) => string>> = {
  completed: (style) => style.green,
  failed: (style) => style.red,
  aborted: (style) => style.red,
  awaiting_approval: (style) => style.yellow,
};

function rowText(row: RunRow, style: Style, spell: Spell): string {
  const brief = rowBrief(row);
  const doubted = stateText(row.state, brief.stopReason) !== row.state;
  const paint = (paints[doubted ? "awaiting_approval" : row.state] ?? ((other: Style) => other.cyan))(style);
  const head = `${row.runId}  ${paint(stateText(row.state, brief.stopReason))}  ${style.dim(`${row.mode}, ${ago(Date.now() - row.updatedAt)}`)}`;
  const doing = brief.doing ? `\n    ${safe(brief.doing).slice(0, 160)}` : "";
  // At a terminal this command shows the gate and asks.
  const asks = row.state === "awaiting_approval" && brief.gate;
  const suggested = asks
    ? ({ suggest: "answer", answer: offeredAnswer(brief.gate), runId: row.runId } as const)
    : brief.next;
  const command = suggested ? spell(suggested) : "";
  const next = command && row.state !== "completed" ? `\n    ${style.dim("→")} ${safe(command)}` : "";
  return `${head}\n    ${style.bold(safe(row.goal).slice(0, 120))}${doing}${next}\n`;
}

async function listText(list: ListedRuns, view: HoodView): Promise<string> {
  const { sessions } = list;
  // Without a gateway nothing more is loaded.
  const beside = sessions.length === 0 ? "" : (await import("./sessions-text.ts")).sessionsText(sessions, view.style);
  return `${runsText(list, view)}${beside}`;
}

/** What needs the user, then what runs, then what ended; newest first in each. */
const rank = ({ state }: RunRow): number =>
  state === "awaiting_approval" ? 0 : ["completed", "failed", "aborted"].includes(state) ? 2 : 1;

function runsText({ total, rows, waiting, state, nextCursor }: ListedRuns, { style, spell }: HoodView): string {
  if (rows.length === 0)
    return total > 0
      ? `None of the ${total} runs here is ${state ?? "older"}.\n`
      : `No runs here yet. Start one: thehood run "what you want done"\n`;
  const more =
    nextCursor === null
      ? ""
      : style.dim(`${rows.length} of ${total} runs; --limit shows more, --cursor ${nextCursor} the next\n`);
  const sorted = [...rows, ...waiting].toSorted((a, b) => rank(a) - rank(b));
  return `${sorted.map((row) => rowText(row, style, spell)).join("")}${more}`;
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
