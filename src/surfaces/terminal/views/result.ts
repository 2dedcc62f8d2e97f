// The result of a run on one screen: the facts, whether the tests would notice a mistake, the doubts, the change, the checks
// and the reviewers. The change is never cut; the lines around it give way where the screen is small.
import type { GateSummary, ResultSummary } from "../../../core/machine/view/index.ts";
import type { GateDetails } from "../../../operations/run-data/index.ts";
import { sheetOf } from "../../../operations/run-data/index.ts";
import { fitLine, type Line, line, piece, type Tone, wrapLine } from "../text/line.ts";
import { fitText, textWidth } from "../text/width.ts";
import { compactChange } from "./compact-diff.ts";

export interface GateScreen {
  readonly lines: readonly Line[];
  /** The number of lines that must have been on the screen before an approval: up to the end of the change. */
  readonly mustSee: number;
}

type Gate = GateDetails["gates"][number];

const tones = { plain: "plain", good: "good", warn: "ask", bad: "bad" } as const;

const factsLine = (facts: ResultSummary["facts"], columns: number): readonly Line[] =>
  wrapLine(
    line(...facts.flatMap(({ text, tone }, at) => [at > 0 ? piece(" · ", "dim") : "", piece(text, tones[tone])])),
    columns,
  );

const question = "Would your tests notice a mistake in the changed lines?";

/** Where the answer is not yes, it comes before everything else. */
function noticedLines(
  { noticed: { answer, text }, doubts }: Pick<ResultSummary, "noticed" | "doubts">,
  columns: number,
): readonly Line[] {
  const good: Tone = doubts.length > 0 ? "dim" : "good";
  if (answer === "yes") return wrapLine(line(piece(`${question}  `, "dim"), piece(text, good)), columns, "  ");
  if (answer === "nothing") return wrapLine(line(piece(text, "dim")), columns, "  ");
  return wrapLine(line(piece(`⚠ ${text}`, "ask")), columns, "  ");
}

const isHeadline = ({ answer }: ResultSummary["noticed"]): boolean => answer !== "yes" && answer !== "nothing";

type Cell = ResultSummary["checks"][number]["now"];

const marks = { pass: "✔", fail: "✘", unknown: "?" } as const;
const markTones = { pass: "good", fail: "bad", unknown: "ask" } as const;

const restOf = ({ tests, note }: Cell): string =>
  `${tests === null ? "" : ` ${tests}`}${note === null ? "" : ` ${note}`}`;

function cellPieces(cell: Cell | null, width: number) {
  if (cell === null) return [piece("–".padEnd(width), "dim")];
  const { mark } = cell;
  const rest = fitText(restOf(cell), width - 2);
  return [piece(marks[mark], markTones[mark]), piece(rest.padEnd(Math.max(0, width - 1)), "dim")];
}

/** One row for each check. The column of the old tests is left out where the work changes no test. */
function checkTable({ checks }: ResultSummary, columns: number): readonly Line[] {
  if (checks.length === 0) return [];
  const old = checks.some(({ withOldTests }) => withOldTests !== null);
  const noticed = checks.some(({ mistakes }) => mistakes !== null);
  const widest = Math.max(
    ...checks.flatMap(({ before, now }) => [before, now]).map((cell) => (cell ? textWidth(restOf(cell)) : 0)),
  );
  const wide = Math.min(columns >= 100 ? 24 : 16, Math.max(11, widest + 3));
  const rest = wide * 2 + (old ? 20 : 0) + (noticed ? 16 : 0);
  const most = Math.max(8, columns - rest - 4);
  const name = Math.min(most, Math.max(...checks.map(({ command }) => textWidth(command)))) + 2;
  const head = `${" ".repeat(name + 1)}${"before".padEnd(wide)}${"now".padEnd(wide)}${old ? "with the old tests".padEnd(20) : ""}${noticed ? "mistakes noticed" : ""}`;
  return [
    line(piece(head.trimEnd(), "dim")),
    ...checks.map(({ command, before, now, withOldTests, mistakes }) =>
      line(
        ` ${fitText(command, most).padEnd(name)}`,
        ...cellPieces(before, wide),
        ...cellPieces(now, wide),
        ...(old ? cellPieces(withOldTests, 20) : []),
        noticed && mistakes
          ? piece(`${mistakes.noticed} of ${mistakes.planted}`, mistakes.noticed === mistakes.planted ? "plain" : "ask")
          : "",
      ),
    ),
  ];
}

/** Checks that pass everywhere in one line, the others in rows. */
function foldedChecks(result: ResultSummary, columns: number): readonly Line[] {
  const plain = result.checks.filter(({ passes, mistakes }) => passes && mistakes === null);
  if (plain.length < 2) return checkTable(result, columns);
  const rest = result.checks.filter((one) => !plain.includes(one));
  const names = plain.map(({ command }) => command).join(", ");
  return [
    ...checkTable({ ...result, checks: rest }, columns),
    fitLine(line(piece(" ✔ ", "good"), piece(`${plain.length} checks before and now: ${names}`, "dim")), columns),
  ];
}

const shortAgent = (agent: string): string => agent.slice(agent.indexOf(":") + 1);

const reviewLines = ({ reviews, doubts }: ResultSummary, columns: number): readonly Line[] =>
  reviews.map(({ role, agent, approves, verdict, sentence }) =>
    fitLine(
      line(
        piece(approves ? " ✔ " : " ✘ ", !approves ? "bad" : doubts.length > 0 ? "dim" : "good"),
        piece(`${role} (${shortAgent(agent)}) `, "dim"),
        approves ? "" : piece(`${verdict}: `, "bad"),
        `“${sentence}”`,
      ),
      columns,
    ),
  );

interface Density {
  readonly context: number;
  readonly blanks: boolean;
  readonly folded: boolean;
}

/** From the roomiest to the tightest. */
const densities: readonly Density[] = [
  { context: 3, blanks: true, folded: false },
  { context: 1, blanks: true, folded: false },
  { context: 0, blanks: true, folded: false },
  { context: 0, blanks: false, folded: false },
  { context: 0, blanks: false, folded: true },
];

function atDensity(gate: Gate, open: GateDetails, columns: number, density: Density): GateScreen {
  const result = gate.summary?.result;
  if (!result) return { lines: [], mustSee: 0 };
  const { context, blanks, folded } = density;
  const blank: readonly Line[] = blanks ? [[]] : [];
  const faults = result.doubts.filter(({ fault }) => fault);
  const warned = [...result.doubts.filter(({ fault }) => !fault).map(({ text }) => text), ...result.warnings];
  const facts = factsLine(result.facts, columns);
  const noticed = noticedLines(result, columns);
  const found = faults.flatMap(({ text }) => wrapLine(line(piece("⚠ ", "bad"), piece(text, "bad")), columns, "  "));
  const warnings = warned.flatMap((text) => wrapLine(line(piece("⚠ ", "ask"), text), columns, "  "));
  // What is wrong comes before what could not be measured, and that before what speaks for the work.
  const head = [
    ...found,
    ...(isHeadline(result.noticed) ? [...noticed, ...warnings, ...facts] : [...warnings, ...facts, ...noticed]),
    ...open.meets.flatMap((text) => wrapLine(line(piece("⚠ ", "ask"), text), columns, "  ")),
    ...failingLines(open, columns),
    ...blank,
  ];
  const asks = new Map(result.needsYes.map(({ path, why }) => [path, why]));
  const change = sheetOf(gate).changes.flatMap((one) => compactChange(one, { columns, context, asks }));
  const tail = [
    ...blank,
    ...(folded ? foldedChecks(result, columns) : checkTable(result, columns)),
    ...reviewLines(result, columns),
  ];
  return { lines: [...head, ...change, ...tail], mustSee: head.length + change.length };
}

const mostFailing = 6;

/** The end of what a red check wrote. */
const failingLines = ({ failing }: GateDetails, columns: number): readonly Line[] =>
  failing.flatMap(({ command, result, lines }) => [
    ...wrapLine(line(piece(`✘ ${command}: ${result.replaceAll("_", " ")}`, "bad")), columns, "  "),
    ...lines.slice(-mostFailing).map((text) => fitLine(line(piece(`  ${text}`, "dim")), columns)),
  ]);

/** The screen of a result: all of it where that fits, else at least everything that must be seen. */
export function resultScreen(gate: Gate, open: GateDetails, columns: number, room: number): GateScreen {
  const drawn = densities.map((density) => atDensity(gate, open, columns, density));
  const fits = drawn.find(({ lines }) => lines.length <= room) ?? drawn.find(({ mustSee }) => mustSee <= room);
  return fits ?? atDensity(gate, open, columns, densities[0] ?? { context: 3, blanks: true, folded: false });
}

/** Time and cost at the end of the title. */
export function spentText({ workedMs, cost }: GateSummary, elapsed: (ms: number) => string): string {
  return [elapsed(workedMs), ...(cost === "$0" ? [] : [cost])].join("  ");
}
