// The plan, the answer or the change a gate asks about, laid open under it: nobody approves a hash they cannot read.
import { plainText, type Gate } from "../../../contract/index.ts";
import type { RepositoryRuns } from "../../../operations/index.ts";
import type { Style } from "../../argv/index.ts";
import { answerText } from "../../../operations/runs/index.ts";

const mostBytes = 64_000;

export async function gateDetail(
  runs: RepositoryRuns,
  runId: string,
  style: Style,
  gate: Gate,
): Promise<string> {
  const said = gate.subject.refs
    .filter(({ kind }) => kind === "plan" || kind === "agent")
    .map(({ ref }) => answerText(runs, runId, ref));
  const diff = gate.subject.refs.find(({ kind }) => kind === "diff");
  return [...(await Promise.all(said)), diff ? await patchOf(runs, runId, diff.ref, style) : ""]
    .filter(Boolean)
    .join("\n\n");
}

export interface ShownGate {
  readonly gate: Gate;
  readonly detail: string;
}

export async function shownGates(runs: RepositoryRuns, runId: string, style: Style): Promise<ShownGate[]> {
  const gates = await runs.gates(runId);
  return Promise.all(
    gates.map(async (gate) => ({ gate, detail: await gateDetail(runs, runId, style, gate) })),
  );
}

async function patchOf(runs: RepositoryRuns, runId: string, ref: string, style: Style): Promise<string> {
  const { bytes, total } = await runs.artifact(runId, ref, { max: mostBytes });
  const rest = total - bytes.length;
  const more = rest > 0 ? `\n… ${rest} more bytes: thehood artifact ${runId} ${ref.slice(7, 19)}` : "";
  return `${patchText(bytes, style).trimEnd()}${more}`;
}

/** A patch for a person's eyes. */
export const patchText = (bytes: Uint8Array, style: Style): string =>
  plainText(new TextDecoder().decode(bytes))
    .split("\n")
    .map((line) => paint(line, style))
    .join("\n");

function paint(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}
