// The attempts at a goal as a table in plain text, the same on every surface.
import type { Attempt } from "../../core/machine/view/index.ts";
import type { Attempts } from "./attempts.ts";

const minutes = (ms: number): string =>
  ms < 90_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;

const shortest = 12;

/** The first letters that tell these runs apart; commands take them. */
function shortIds(ids: readonly string[]): readonly string[] {
  for (let length = shortest; ; length += 1) {
    const cut = ids.map((id) => id.slice(0, length));
    if (new Set(cut).size === new Set(ids).size) return cut;
  }
}

function cellsOf({ agent, facts, ms, cost }: Attempt, id: string): readonly string[] {
  if (!facts) return [id, agent, "–", "–", "–", "–", minutes(ms), cost];
  const { claims, mistakes, findings, added, removed } = facts;
  return [
    id,
    agent,
    `${claims.proven}/${claims.all}`,
    mistakes.planted === 0 ? "–" : `${mistakes.noticed}/${mistakes.planted}`,
    String(findings),
    `+${added} −${removed}`,
    minutes(ms),
    cost,
  ];
}

const head = ["", "agent", "proven", "noticed", "doubts", "lines", "time", "cost"];

const standings: Readonly<Record<Attempt["standing"], string>> = {
  taken: "taken",
  ready: "ready",
  waits: "needs you",
  working: "at work",
  ended: "ended",
};

/** `here`: the run that the reader looks at. */
export function attemptLines({ rows }: Attempts, here?: string): string[] {
  const ids = shortIds(rows.map(({ runId }) => runId));
  const cells = rows.map((row, at) => cellsOf(row, ids[at] ?? row.runId));
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((row) => (row[at] ?? "").length)));
  const padded = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return [
    `   ${padded(head)}`.trimEnd(),
    ...rows.flatMap(({ runId, standing, doing, facts }, at) => {
      const mark = runId === here ? "▸" : " ";
      const row = `${mark}${at + 1} ${padded(cells[at] ?? [])}  ${standings[standing]}`;
      // A reason is as long as it is: below its row, so that the columns stay.
      return facts && standing !== "ended" ? [row] : [row, `     ${doing}`];
    }),
  ];
}
