// The attempts at a goal as a table, and what a person does with it.
import { attemptLines, type Attempts } from "../../../operations/run-data/index.ts";
import { safe } from "./list.ts";
import { texts } from "./view.ts";

export const attempts = texts<Attempts>((found, { style }) => {
  const { goal, rows, taken } = found;
  const [best] = rows;
  const ready = rows.filter(({ standing }) => standing === "ready");
  const next =
    taken === null && best && ready.length > 0
      ? ["", `→ thehood diff ${best.runId}`, `→ thehood approve ${best.runId}`]
      : [];
  return `${[style.bold(safe(goal).slice(0, 200)), ...attemptLines(found).map(safe), ...next].join("\n")}\n`;
});
