// Creates judges from the rows of programs.json, for programs that are described by data alone.
import type { CommandClass } from "../../contract/index.ts";
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import {
  type ReaderShape,
  type SubcommandRule,
  type WrapperShape,
  always,
  each,
  follow,
  groups,
  reader,
  runningOwn,
  runsCode,
  serving,
  runsRest,
  splitWords,
  subcommands,
  works,
  wrapper,
  writesAll,
} from "./build.ts";
import data from "./programs.json" with { type: "json" };

interface VerbsRow {
  readonly kind: "verbs";
  /**
   * From a rule to its subcommands. A rule is a class, `CLASS, asked` (always needs approval), `runs` (the arguments after it
   * are a command), `own` (runs code of the project), `serves` or `lists, CLASS` (reads with `list`, `ls` or `info` after it, else CLASS).
   */
  readonly verbs: Readonly<Record<string, string>>;
  readonly values?: string;
  /** Options with a value after a `runs` subcommand. */
  readonly runValues?: string;
  /** The reason shown for `CLASS, asked`. */
  readonly asks?: string;
  /** Options that take settings or a target from elsewhere. */
  readonly loads?: string;
  readonly none?: CommandClass;
  readonly other?: CommandClass;
}

/** The names of a row are separated by blanks. */
export type ProgramRow = { readonly names: string } & (
  | { readonly kind: "fixed"; readonly class: CommandClass; readonly why?: string; readonly asked?: boolean }
  | ({ readonly kind: "reader" } & ReaderShape)
  | ({ readonly kind: "wrapper" } & WrapperShape)
  | { readonly kind: "tool"; readonly looking?: string }
  /** With `serves` it answers requests of others. */
  | { readonly kind: "code"; readonly serves?: true }
  | { readonly kind: "writer"; readonly values?: string }
  | VerbsRow
);

function verbRule(rule: string, row: VerbsRow): SubcommandRule {
  if (rule === "runs") return runsRest(row.runValues);
  if (rule === "own") return runningOwn;
  if (rule === "serves") return serving;
  const [first = "", second] = rule.split(", ");
  if (second === "asked") return always(first as CommandClass, row.asks, true);
  if (first === "lists")
    return (call) =>
      follow(/^(list|info|ls)$/.test(call.args[0]?.text ?? "") ? "read_only" : (second as CommandClass), call);
  return first as CommandClass;
}

function judgeOf(row: ProgramRow): ProgramJudge {
  switch (row.kind) {
    case "fixed":
      return always(row.class, row.why, row.asked);
    case "reader":
      return reader(row);
    case "wrapper":
      return wrapper(row);
    case "tool":
      return works(row.looking);
    case "code":
      return runsCode(row.serves);
    case "writer":
      return writesAll(splitWords(row.values ?? ""));
    case "verbs":
      return subcommands({
        values: splitWords(row.values ?? ""),
        runs: splitWords(row.loads ?? ""),
        table: groups(...Object.entries(row.verbs).map(([rule, verbs]) => [verbRule(rule, row), verbs] as const)),
        ...(row.none ? { none: row.none } : {}),
        ...(row.other ? { other: row.other } : {}),
      });
  }
}

const judgesOf = (rows: readonly ProgramRow[]): ProgramJudges =>
  Object.assign({}, ...rows.map((row) => each(row.names, judgeOf(row))));

export const programTable = data as {
  /** Programs that run the project's own code in every call. */
  readonly tools: readonly ProgramRow[];
  /** Package managers. */
  readonly packages: readonly ProgramRow[];
  readonly others: readonly ProgramRow[];
};

export const tableRows = {
  tools: judgesOf(programTable.tools),
  packages: judgesOf(programTable.packages),
  others: judgesOf(programTable.others),
};
