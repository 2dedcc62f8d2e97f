// Where runs stand. The list is read from the store's rows alone, so that it costs the same for ten runs and ten thousand.
import { exitCodes, type RunRow, type Spell } from "../../../contract/index.ts";
import { attended, briefOf, compactRow, standingRows } from "../../../operations/runs/index.ts";
import { wholeNumber } from "../numbers.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle, type Style } from "../style.ts";

const ago = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} days ago`;
};

const words: Readonly<Record<string, (style: Style) => (text: string) => string>> = {
  completed: (style) => style.green,
  failed: (style) => style.red,
  aborted: (style) => style.red,
  awaiting_approval: (style) => style.yellow,
};

/** Control characters never reach the terminal, whatever a row says; the rows were written plain. */
const safe = (text: string) =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, " ");

function rowText(row: RunRow, style: Style, spell: Spell): string {
  const brief = briefOf(row);
  const paint = (words[row.state] ?? ((other: Style) => other.cyan))(style);
  const head = `${row.runId}  ${paint(row.state)}  ${style.dim(`${row.mode}, ${ago(Date.now() - row.updatedAt)}`)}`;
  const doing = brief.doing ? `\n    ${safe(brief.doing).slice(0, 160)}` : "";
  // A row that version 0.1.0 wrote holds the command as text.
  const command = typeof brief.next === "string" ? brief.next : brief.next ? spell(brief.next) : "";
  const next = command && row.state !== "completed" ? `\n    ${style.dim("→")} ${safe(command)}` : "";
  return `${head}\n    ${style.bold(safe(row.goal).slice(0, 120))}${doing}${next}\n`;
}

async function list(call: Call, state?: string): Promise<number> {
  await using desk = await call.given.runs(call.repo);
  const limit = wholeNumber(call.flags, "limit") ?? 20;
  const rows = await standingRows(desk, { limit, ...(state === undefined ? {} : { state }) });
  const total = await desk.count();
  if (call.json) {
    const runs = rows.map((row) => compactRow(row));
    call.io.out(call.jsonLine({ schemaVersion: 1, ok: true, total, runs }));
    return exitCodes.ok;
  }
  const style = createStyle(call.io.color);
  if (rows.length === 0)
    call.io.out(
      total > 0
        ? `None of the ${total} runs here is ${state}.\n`
        : `No runs here yet. Start one: thehood run "what you want done"\n`,
    );
  else
    call.io.out(
      `${rows.map((row) => rowText(row, style, call.spell)).join("")}${total > rows.length && rows.length === limit ? style.dim(`${rows.length} of ${total} runs; --limit shows more\n`) : ""}`,
    );
  return exitCodes.ok;
}

export const runs: CommandBody = { run: (call) => list(call, call.flags.text("state")) };

export const status: CommandBody = {
  async run(call) {
    const id = call.words["run"];
    if (id === undefined) return list(call);
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(id);
    const found = await attended(desk, runId, () => desk.status(runId));
    if (call.json) call.io.out(call.jsonLine({ ok: true, ...found }));
    else {
      const { statusText } = await import("./run-text.ts");
      const { shownGates } = await import("./gate-detail.ts");
      const style = createStyle(call.io.color);
      call.io.out(statusText(found, await shownGates(desk, runId, style), style, call.spell, call.verbose));
    }
    return exitCodes.ok;
  },
};
