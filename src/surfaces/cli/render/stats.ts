// The figures of many runs: the results first, then what they cost, then one row for each part.
import type { FiguresRow } from "../../../core/machine/view/index.ts";
import type { Stats } from "../../../operations/run-data/index.ts";
import { safe } from "./list.ts";
import { texts } from "./view.ts";

const number = (value: number): string => value.toLocaleString("en-US");
const money = (usd: number): string => `$${usd < 0.1 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`;
const time = (minutes: number): string =>
  minutes < 120 ? `${minutes.toFixed(1)} min` : `${(minutes / 60).toFixed(1)} h`;

type Costs = Pick<FiguresRow, "usd" | "estimatedUsd" | "callsOfUnknownCost">;

function cost({ usd, estimatedUsd, callsOfUnknownCost: unknown }: Costs): string {
  const known =
    estimatedUsd === 0
      ? money(usd)
      : estimatedUsd >= usd
        ? `about ${money(usd)}`
        : `${money(usd)}, of which about ${money(estimatedUsd)} estimated`;
  return unknown === 0 ? known : `${known} and ${unknown} calls of unknown cost`;
}

export const stats = texts<Stats>(({ days, total, rows, problems, left }, { style }) => {
  const { runs } = total;
  const all = runs.accepted + runs.refused + runs.open;
  if (all === 0 && problems.length === 0) return `No run changed in the last ${days} days.\n`;
  const each = [
    total.usdPerAcceptedRun === null ? "" : `${money(total.usdPerAcceptedRun)} an accepted run`,
    total.usdPerChangedLine === null ? "" : `${money(total.usdPerChangedLine)} a changed line`,
  ].filter(Boolean);
  const lines = [
    `${style.bold(`${all} runs in ${days} days`)}: ${runs.accepted} accepted, ${runs.refused} not, ${runs.open} open`,
    `cost       ${cost(total)}${each.length > 0 ? `  (${each.join(", ")})` : ""}`,
    `calls      ${number(total.calls)}, of which ${number(total.lostCalls)} without a usable answer; ${number(total.tokens)} tokens`,
    `time       agents ${time(total.minutes)}, checks ${time(total.checkMinutes)}`,
    `work       ${number(total.changedLines)} changed lines accepted, ${total.repairs} repairs, ${total.questions} decisions of yours`,
    ...(total.sabotages.tried === 0
      ? []
      : [
          `mistakes   ${total.sabotages.noticed} of ${total.sabotages.tried} planted mistakes were noticed by the checks`,
        ]),
  ];
  const width = Math.max(0, ...rows.map(({ name }) => safe(name).length));
  const table = rows.map(
    (row) =>
      `  ${safe(row.name).padEnd(width)}  ${number(row.calls).padStart(6)} calls  ${number(row.tokens).padStart(12)} tokens  ${time(row.minutes).padStart(9)}  ${cost(row)}`,
  );
  const notes = [
    ...problems.map(({ repo, problem }) => `${style.yellow("!")} ${safe(repo)} could not be read: ${safe(problem)}`),
    ...(left > 0 ? [`${number(left)} older runs of these days are not counted; choose fewer --days.`] : []),
  ];
  return `${[...lines, ...(table.length > 0 ? ["", ...table] : []), ...notes].join("\n")}\n`;
});
