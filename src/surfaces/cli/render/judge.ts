// The judges' verdicts: for a person, for a program, or one line for each line of a stream.
import {
  plainText,
  type CommandVerdict,
  type PatchVerdict,
  type PathVerdict,
  type PlacedSecret,
  type ReplyVerdict,
} from "../../../core/contract/index.ts";
import type { PatchApplied, RepositoryReport } from "../../../operations/index.ts";
import type { Renderer, Style } from "../../argv/index.ts";
import { renders } from "./view.ts";

/** A verdict, or the verdicts of a stream. */
interface Judged<V> {
  readonly verdict?: V;
  readonly lines?: AsyncIterable<object>;
  /** The name of the file that was judged. */
  readonly file?: string | undefined;
}

function judged<V extends object>(text: (verdict: V, style: Style, file: string | undefined) => string): Renderer {
  return renders<Judged<V>>({
    async json({ verdict, lines }, { io }, exit) {
      if (!lines) return { schemaVersion: 1, ok: exit === 0, ...verdict };
      for await (const line of lines) io.out(`${JSON.stringify(line)}\n`);
      return "";
    },
    async print({ verdict, lines, file }, { io, style }) {
      if (verdict) io.out(text(verdict, style, file));
      for await (const line of lines ?? []) io.out(`${JSON.stringify(line)}\n`);
    },
  });
}

export const command = judged<CommandVerdict>((verdict, style) => {
  const head = verdict.gated
    ? style.yellow(`${verdict.class}: would ask first`)
    : style.green(`${verdict.class}: runs without asking`);
  const parts = verdict.parts
    .slice(0, 8)
    .map(
      (part) =>
        `  ${style.dim(`${part.span.start}-${part.span.end}`)} ${plainText(part.text.slice(0, 100))}\n      ${part.class}: ${plainText(part.why)}`,
    );
  return `${head}\n  ${plainText(verdict.why)}\n${parts.length > 0 ? `${parts.join("\n")}\n` : ""}`;
});

const verdictWords = { accept: "accepted", approval: "needs approval", reject: "refused" } as const;

/** How a person approves the file that decided. */
function approvalHint({ verdict, reason, findings }: PatchVerdict): string[] {
  const path_ = findings.find((finding) => finding.reason === reason)?.path;
  return verdict === "approval" && path_ !== undefined
    ? [`→ approve the file by its name: --approve-path ${plainText(path_)}`]
    : [];
}

function patchVerdict(verdict: PatchVerdict, style: Style): string {
  const paint = { accept: style.green, approval: style.yellow, reject: style.red }[verdict.verdict];
  const paths = verdict.paths.map((name) => `  ${plainText(name)}`);
  const findings = verdict.findings.map(
    (finding) =>
      `  ${finding.reason}${finding.path ? ` (${plainText(finding.path)})` : ""}: ${plainText(finding.message)}`,
  );
  return [
    paint(`${verdictWords[verdict.verdict]}: ${verdict.reason}`),
    `  ${plainText(verdict.message)}`,
    ...(verdict.converted ? [`Converted from ${verdict.converted.from}`] : []),
    ...(findings.length > 0 ? ["Findings", ...findings] : []),
    ...approvalHint(verdict),
    ...(paths.length > 0 ? ["Paths", ...paths] : []),
    "",
  ].join("\n");
}

export const patch = judged<PatchVerdict>(patchVerdict);

export const applied = renders<PatchApplied>({
  json: ({ applied: done, changed, verdict }, _, exit) => ({
    schemaVersion: 1,
    ok: exit === 0,
    applied: done,
    changed,
    ...verdict,
  }),
  print: ({ applied: done, changed, verdict }, { io, style }) =>
    io.out(
      done
        ? `${style.green(`applied to ${changed.length} files`)}\n${changed.map((file) => `  ${plainText(file)}\n`).join("")}`
        : patchVerdict(verdict, style),
    ),
});

export const reply = judged<ReplyVerdict>((verdict, style) =>
  verdict.selected === null
    ? `${style.red(`no usable diff: ${verdict.reason}`)}\n  ${verdict.diffBlocks} diff blocks, score ${verdict.diffScore}\n`
    : `${style.green(`a diff: ${verdict.diffBlocks} blocks, score ${verdict.diffScore}`)}\n${plainText(verdict.selected)}`,
);

const placed = ({ label, line, column }: PlacedSecret, file: string | undefined): string =>
  `  ${plainText(file ?? "line ")}${file === undefined ? "" : ":"}${line}:${column}  ${label}\n`;

export const secrets = judged<{ readonly matches: readonly PlacedSecret[] }>(({ matches }, style, file) =>
  matches.length === 0
    ? `${style.green("no secrets found")}\n`
    : `${style.red(`${matches.length} found`)}\n${matches.map((match) => placed(match, file)).join("")}`,
);

export const path = judged<PathVerdict>((verdict, style) =>
  verdict.allowed ? `${style.green("allowed")}\n` : `${style.red(`denied: ${verdict.reason}`)}\n`,
);

export const repository = judged<RepositoryReport>((report, style) => {
  const rows = report.findings.map((finding) => {
    const paint = finding.severity === "block" || finding.severity === "high" ? style.red : style.yellow;
    return `${paint(`${finding.severity} ${finding.kind}`)}  ${plainText(finding.path)}\n  ${plainText(finding.what)}\n  ${style.dim(plainText(finding.why))}\n  ${style.dim(`→ ${plainText(finding.remedy)}`)}`;
  });
  const notes = report.notes.map((note) => style.dim(plainText(note)));
  if (rows.length === 0)
    return `${style.green("nothing found that would run or steer an agent")}\n${notes.map((note) => `${note}\n`).join("")}`;
  return `${[...rows, ...notes].join("\n")}\n${report.findings.length} findings. Nothing of the repository was run.\n`;
});
