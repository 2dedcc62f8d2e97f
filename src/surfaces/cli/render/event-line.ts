// One line for an event in a terminal. An event that only a reader of the log needs is shown with --verbose.
import { plainLine, type RunEvent, type StoredEvent } from "../../../core/contract/index.ts";
import { describeEvent } from "../../../operations/text/index.ts";
import type { Style } from "../../argv/index.ts";

/** Null when the line is not worth a person's time. */
export function eventLine(stored: StoredEvent<RunEvent>, style: Style, verbose: boolean): string | null {
  const found = describeEvent(stored.event);
  if (found.quiet && !verbose) return null;
  const mark = { ok: style.green("✔"), bad: style.red("✘"), ask: style.yellow("◆"), info: style.dim("·") }[
    found.mark
  ];
  const number = verbose ? style.dim(`${String(stored.seq).padStart(4)} `) : "";
  return `${number}${mark} ${plainLine(found.text, 300)}`;
}
