// `thehood check …`: a judge's verdict for a person, for a program, or for a stream of lines.
import { exitCodes, fail, plain, type PatchVerdict } from "../../../contract/index.ts";
import { judgeLine, type LineJudge } from "../../../operations/check/index.ts";
import { inputLines, readInput } from "../input.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle, type Style } from "../style.ts";

interface Shown {
  readonly data: Record<string, unknown>;
  readonly text: (style: Style) => string;
  readonly exit: number;
}

/** Streams with --jsonl, otherwise judges once and shows it. */
function check(kind: LineJudge | undefined, once: (call: Call) => Promise<Shown>): CommandBody {
  return {
    async run(call) {
      if (kind && call.flags.on("jsonl")) {
        for await (const line of inputLines(call.io)) {
          if (line.trim() === "") continue;
          const repo = kind === "patch" ? call.flags.text("repo") : undefined;
          call.io.out(`${JSON.stringify(await judgeLine(kind, line, call.given.judges, { repo }))}\n`);
        }
        return exitCodes.ok;
      }
      const shown = await once(call);
      call.io.out(
        call.json
          ? `${JSON.stringify({ schemaVersion: 1, ...shown.data })}\n`
          : shown.text(createStyle(call.io.color)),
      );
      return shown.exit;
    },
  };
}

export const command = check("command", async (call) => {
  const line =
    call.rest.length > 0
      ? call.rest.join(" ")
      : (await readInput("-", call.io)).toString("utf8").replace(/\n$/, "");
  const verdict = await call.given.judges.command(line);
  return {
    data: { ...verdict },
    exit: verdict.gated ? exitCodes.approvalRequired : exitCodes.ok,
    text: (style) => {
      const head = verdict.gated
        ? style.yellow(`${verdict.class}: would ask first`)
        : style.green(`${verdict.class}: runs without asking`);
      const parts = verdict.parts
        .slice(0, 8)
        .map(
          (part) =>
            `  ${style.dim(`${part.span.start}-${part.span.end}`)} ${plain(part.text.slice(0, 100))}\n      ${part.class}: ${plain(part.why)}`,
        );
      return `${head}\n  ${plain(verdict.why)}\n${parts.length > 0 ? `${parts.join("\n")}\n` : ""}`;
    },
  };
});

const verdictWords = { accept: "accepted", approval: "needs approval", reject: "refused" } as const;
const verdictExits = {
  accept: exitCodes.ok,
  approval: exitCodes.approvalRequired,
  reject: exitCodes.permissionDenied,
} as const;

function patchOptions(call: Call) {
  return {
    repo: call.flags.text("repo"),
    restrictPathPrefix: call.flags.text("restrict-path-prefix"),
    approveProtected: call.flags.on("approve-protected"),
    approvedPaths: call.flags.texts("approve-path"),
    allowBinary: call.flags.on("allow-binary"),
  };
}

/** How a person approves the file that decided. */
function approvalHint({ verdict, reason, findings }: PatchVerdict): string[] {
  const path = findings.find((finding) => finding.reason === reason)?.path;
  return verdict === "approval" && path !== undefined
    ? [`→ approve the file by its name: --approve-path ${plain(path)}`]
    : [];
}

function showPatch(verdict: PatchVerdict, style: Style): string {
  const paint = { accept: style.green, approval: style.yellow, reject: style.red }[verdict.verdict];
  const paths = verdict.paths.map((path) => `  ${plain(path)}`);
  const findings = verdict.findings.map(
    (finding) =>
      `  ${finding.reason}${finding.path ? ` (${plain(finding.path)})` : ""}: ${plain(finding.message)}`,
  );
  return [
    paint(`${verdictWords[verdict.verdict]}: ${verdict.reason}`),
    `  ${plain(verdict.message)}`,
    ...(findings.length > 0 ? ["Findings", ...findings] : []),
    ...approvalHint(verdict),
    ...(paths.length > 0 ? ["Paths", ...paths] : []),
    "",
  ].join("\n");
}

export const patch = check("patch", async (call) => {
  const verdict = await call.given.judges.patch(
    await readInput(call.words["file"], call.io),
    patchOptions(call),
  );
  return {
    data: { ...verdict },
    exit: verdictExits[verdict.verdict],
    text: (style) => showPatch(verdict, style),
  };
});

/** As `check patch`, but always against a repository: this folder when none is named. */
export const patchOnRepo = check(undefined, async (call) => {
  const verdict = await call.given.judges.patch(await readInput(call.words["file"], call.io), {
    ...patchOptions(call),
    repo: call.repo,
  });
  return {
    data: { ...verdict },
    exit: verdictExits[verdict.verdict],
    text: (style) => showPatch(verdict, style),
  };
});

export const reply = check("reply", async (call) => {
  const verdict = await call.given.judges.reply(
    (await readInput(call.words["file"], call.io)).toString("utf8"),
  );
  return {
    data: { ...verdict },
    exit: verdict.selected === null ? exitCodes.failure : exitCodes.ok,
    text: (style) =>
      verdict.selected === null
        ? `${style.red(`no usable diff: ${verdict.reason}`)}\n  ${verdict.diffBlocks} diff blocks, score ${verdict.diffScore}\n`
        : `${style.green(`a diff: ${verdict.diffBlocks} blocks, score ${verdict.diffScore}`)}\n${plain(verdict.selected)}`,
  };
});

export const secrets = check("secrets", async (call) => {
  const name = call.words["file"];
  const { matches, redacted } = await call.given.judges.secrets(
    (await readInput(name, call.io)).toString("utf8"),
    name === "-" ? undefined : name,
  );
  return {
    data: { matches, redacted },
    exit: matches.length > 0 ? exitCodes.failure : exitCodes.ok,
    text: (style) =>
      matches.length === 0
        ? `${style.green("no secrets found")}\n`
        : `${style.red(`${matches.length} found`)}\n${matches.map((match) => `  ${match.label} at ${match.start}-${match.end}`).join("\n")}\n`,
  };
});

export const path = check("path", async (call) => {
  const root = call.flags.text("root") ?? call.repo;
  const verdict = await call.given.judges.path(
    root,
    call.words["path"] ?? "",
    call.flags.text("op") ?? "read",
  );
  return {
    data: { ...verdict },
    exit: verdict.allowed ? exitCodes.ok : exitCodes.permissionDenied,
    text: (style) =>
      verdict.allowed ? `${style.green("allowed")}\n` : `${style.red(`denied: ${verdict.reason}`)}\n`,
  };
});

export const repo = check(undefined, async (call) => {
  const report = await call.given.judges.repository(call.words["dir"] ?? call.repo);
  const serious = report.findings.filter((finding) => finding.severity !== "low");
  return {
    data: { ...report },
    exit: serious.length > 0 ? exitCodes.approvalRequired : exitCodes.ok,
    text: (style) => {
      const rows = report.findings.map((finding) => {
        const paint = finding.severity === "block" || finding.severity === "high" ? style.red : style.yellow;
        return `${paint(`${finding.severity} ${finding.kind}`)}  ${plain(finding.path)}\n  ${plain(finding.what)}\n  ${style.dim(plain(finding.why))}\n  ${style.dim(`→ ${plain(finding.remedy)}`)}`;
      });
      const notes = report.notes.map((note) => style.dim(plain(note)));
      if (rows.length === 0)
        return `${style.green("nothing found that would run or steer an agent")}\n${notes.join("\n")}`;
      return `${[...rows, ...notes].join("\n")}\n${report.findings.length} findings. Nothing of the repository was run.\n`;
    },
  };
});

export const applyPatch: CommandBody = {
  async run(call) {
    const name = call.words["file"];
    if (name === undefined)
      fail("invalid_input", "No patch was given.", { remedy: "Give a file, or - for standard input." });
    const options = { ...patchOptions(call), repo: call.repo };
    const result = await call.given.applyPatch(await readInput(name, call.io), options);
    const style = createStyle(call.io.color);
    if (call.json)
      call.io.out(
        `${JSON.stringify({ schemaVersion: 1, applied: result.applied, changed: result.changed, ...result.verdict })}\n`,
      );
    else if (result.applied)
      call.io.out(
        `${style.green(`applied to ${result.changed.length} files`)}\n${result.changed.map((file) => `  ${plain(file)}\n`).join("")}`,
      );
    else call.io.out(showPatch(result.verdict, style));
    if (result.applied)
      for (const { verdict, message } of result.verdict.findings)
        if (verdict === "approval") call.io.err(`warning: ${plain(message)}\n`);
    return result.applied ? exitCodes.ok : verdictExits[result.verdict.verdict] || exitCodes.failure;
  },
};
