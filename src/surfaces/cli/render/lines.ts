// An event and a patch as lines of a terminal.
import { plainLine, type RunEvent, type StoredEvent, plainText } from "../../../core/contract/index.ts";
import { describeEvent } from "../../../operations/text/index.ts";
import type { Style } from "../../argv/index.ts";

/** Null when the line is not worth a person's time. */
export function eventLine(stored: StoredEvent<RunEvent>, style: Style, verbose: boolean): string | null {
  const found = describeEvent(stored.event);
  if (found.quiet && !verbose) return null;
  const mark = { ok: style.green("✔"), bad: style.red("✘"), ask: style.yellow("◆"), info: style.dim("·") }[found.mark];
  const number = verbose ? style.dim(`${String(stored.seq).padStart(4)} `) : "";
  return `${number}${mark} ${plainLine(found.text, 300)}`;
}

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
