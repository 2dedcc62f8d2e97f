// What the record says about the confinement of the work: the sandbox of each command that the runtime ran.
import type { Run } from "../state/index.ts";

/** A sentence for the first line, or null where a sandbox held every command, or none was run. */
export function unconfined(run: Run): string | null {
  const used = [
    ...run.passes.flatMap(({ checks }) => checks.map(({ sandbox }) => sandbox)),
    ...run.side.tasks.flatMap(({ command }) => (command ? [command.sandbox] : [])),
  ];
  const open = used.filter((sandbox) => sandbox === "none").length;
  if (open === 0) return null;
  return `Nothing confined this work: ${open} of ${used.length} commands ran without a sandbox, with your own rights. What they report is only as good as the code that they ran.`;
}
