// The judge of shell lines and argument vectors. For one line: hidden characters, here-documents, grammar, walk, verdict.
import type { CommandPlace, CommandVerdict } from "../contract/index.ts";
import type { BaseFile, FileContent } from "./call.ts";
import {
  type JudgeText,
  type ParserBytes,
  type ParseShell,
  type Setting,
  type TreeCopy,
  copyTree,
  loadShellParser,
} from "./evaluate/tree.ts";
import { moveTo, workspaceTop } from "./paths/path-class.ts";
import { findHidden, prescan } from "./lexer/prescan.ts";
import { type CommandFinding, settleVerdict, severity } from "./verdict.ts";
import { Walk } from "./evaluate/walk.ts";

const lineLimit = 64 * 1024;
const nestLimit = 12;
const budget = 5_000;
const textCost = 20;

/** The keyword has no effect on the verdict, and the grammar does not support it before a group. */
const timedGroup = /(?<=^|[;&|(\n]\s*)time(\s+-p)?(?=\s+[({])/g;

const isWorse = (finding: CommandFinding) => severity(finding.class) > severity("unknown");

/** Known facts about the workspace. */
export interface KnownWorkspace {
  /** Absolute path of the workspace; absolute paths below it count as inside. */
  readonly root?: string;
  /** The folder the line runs in, from the top of the workspace. */
  readonly cwd?: string;
  /** Tools that are installed in the project: `npx` runs them without a download. */
  readonly installed?: readonly string[];
  /** Whether a file, by its path from the top, is unchanged since the last commit. */
  readonly baseFile?: (path: string) => BaseFile;
  /** Whether a file, by its path from the top, holds a secret. */
  readonly content?: (path: string) => FileContent;
  /** Where the line runs; by default on the user's machine. */
  readonly where?: CommandPlace;
  /** Whether a path from the top leads out of the workspace by a link. */
  readonly leadsAway?: (path: string) => boolean;
  /** Whether a folder, by its absolute path, does not exist. */
  readonly isMissing?: (folder: string) => boolean;
}

function createJudge(parse: ParseShell) {
  const judgeText: JudgeText = (text, setting) => {
    const whole = setting.locate({ start: 0, end: text.length });
    const unknown = (why: string, span = whole): CommandFinding => ({
      class: "unknown",
      why,
      span,
      gated: true,
    });
    if (setting.depth > nestLimit) return [unknown("Commands are nested too deeply to be followed")];
    setting.budget.left -= textCost;
    if (setting.budget.left < 0) return [unknown("The line asks for too much to be followed")];
    if (text.length > lineLimit) return [unknown("The line is too long to be judged")];
    const hidden = findHidden(text);
    if (hidden) return [unknown(hidden.why, setting.locate(hidden.span))];
    const scanned = prescan(text.replaceAll(timedGroup, (found) => " ".repeat(found.length)));
    if (!scanned) return [unknown("A quote or a here-document has no end")];
    const again = (other: string) => judgeText(other, { ...setting, depth: setting.depth + 1, locate: () => whole });
    const findings: CommandFinding[] = [];
    if (scanned.splitsWord) {
      findings.push(unknown("A word is split over two lines"));
      findings.push(...again(text.replaceAll(/\\\n/g, "")));
    }
    const read = readTree(parse, scanned.text);
    if (!read) return [...findings, unknown("The line cannot be parsed")];
    const walk = new Walk({ ...scanned, text: read.text }, setting, judgeText);
    walk.visit(read.copy.root);
    if (read.copy.hasError) {
      findings.push(unknown("The line cannot be parsed as a shell command"));
      walk.asOneCommand();
    }
    findings.push(...walk.findings);
    // If `((` is not arithmetic, the shell reads it as two groups; a command worse than unknown in them must be found.
    if (text.includes("((") && findings.some((finding) => finding.class === "unknown"))
      findings.push(...again(text.replaceAll("((", "( (")).filter(isWorse));
    return findings;
  };

  return (
    line: string,
    {
      root,
      cwd = "",
      installed = [],
      baseFile = () => "unknown",
      content = () => "unknown",
      ...place
    }: KnownWorkspace = {},
  ): CommandVerdict => {
    const setting: Setting = {
      depth: 0,
      cwd: cwd === "" ? workspaceTop : moveTo(cwd, workspaceTop),
      feed: { kind: "none" },
      root: root?.replace(/\/+$/, ""),
      installed: new Set(installed),
      baseFile,
      content,
      where: place.where ?? "machine",
      leadsAway: place.leadsAway ?? (() => false),
      isMissing: place.isMissing ?? (() => false),
      hiddenFiles: /dotglob|globdots|GLOBIGNORE/i.test(line.replaceAll(/["'\\]/g, "")),
      budget: { left: budget },
      locate: (span) => span,
    };
    return settleVerdict(line, judgeText(line, setting));
  };
}

/** Text that the grammar cannot parse, each with a replacement of the same length and the same verdict. */
const replacements: readonly (readonly [RegExp, string])[] = [
  // As `> ` it opens the same file.
  [/<>/g, "> "],
  // A dash as the operand of a comparison.
  [/(?<=\[\s[^\]\n]*\s[!=]?=\s)-(?=\s\])/g, "x"],
];

function readTree(parse: ParseShell, text: string): { text: string; copy: TreeCopy } | undefined {
  const copy = parse(text, copyTree);
  if (!copy?.hasError) return copy && { text, copy };
  for (const [found, other] of replacements) {
    if (text.search(found) < 0) continue;
    const again = text.replaceAll(found, other);
    const better = parse(again, copyTree);
    if (better && !better.hasError) return { text: again, copy: better };
  }
  return { text, copy };
}

export interface CommandJudge {
  /** A whole shell line, as `bash -c` would take it. */
  classify(line: string, options?: KnownWorkspace): CommandVerdict;
  /** An argument vector that no shell will read again; spans point into its quoted form. */
  classifyArgv(argv: readonly string[], options?: KnownWorkspace): CommandVerdict;
}

export async function loadCommandJudge(bytes: ParserBytes): Promise<CommandJudge> {
  const judge = createJudge(await loadShellParser(bytes));
  return {
    classify: (line, options) => judge(line, options),
    classifyArgv: (argv, options) => judge(quoteArgv(argv), options),
  };
}

/** The line a shell would read as exactly these words. */
const quoteArgv = (argv: readonly string[]) =>
  argv
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) && !/^\w+=/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(" ");
