// The text with which work is sent back: the editor opens with the change, and a text below a line of it is a comment at
// that line.
import { sheetOf } from "../../../operations/run-data/index.ts";
import { numberedLines } from "../views/compact-diff.ts";
import type { GateOptions } from "./gate-answers.ts";

const help = [
  "# Write what should be different. Lines that begin with # are left out; an empty text changes nothing.",
  "# A text below a line of the change is a comment at that line.",
];

/** The empty first line is for a text about the whole. */
export function sendBackDraft(gate: GateOptions["gate"]): string {
  const change = sheetOf(gate).changes.flatMap(({ files }) =>
    files.flatMap((file) => [
      "#",
      ...file.hunks
        .flatMap(numberedLines)
        .map(({ number, row: [kind, text] }) => `# ${file.path}:${number} ${kind} ${text}`),
    ]),
  );
  return `${["", ...help, ...change].join("\n")}\n`;
}

const place = /^# (.+?:\d+) [-+ \\] /;

/** The text of the person, each comment with the place of the line above it. */
export function readSendBack(text: string | null): string {
  const lines: string[] = [];
  let at = "";
  for (const one of (text ?? "").split("\n")) {
    if (one.startsWith("#")) at = place.exec(one)?.[1] ?? "";
    else if (one.trim() !== "") {
      lines.push(at === "" ? one : `${at}: ${one}`);
    } else if (lines.length > 0 && at === "") lines.push("");
  }
  return lines.join("\n").trim();
}
