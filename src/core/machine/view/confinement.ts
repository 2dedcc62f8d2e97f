// The confinement of the work by the record: the sandbox of each agent program and command that was run.
import type { Run } from "../state/index.ts";

/** A sentence for the first line, or null where a sandbox held every program, or none was run. */
export function unconfined(run: Run): string | null {
  const agents = run.calls.flatMap(({ result }) => result?.sandbox ?? []);
  const commands = [
    ...run.passes.flatMap(({ checks }) => checks.map(({ sandbox }) => sandbox)),
    ...run.side.tasks.flatMap(({ command }) => (command ? [command.sandbox] : [])),
  ];
  const parts = [...share(commands, "commands"), ...share(agents, "calls of agent programs")];
  if (parts.length === 0) return null;
  return `Nothing confined this work: ${parts.join(" and ")} ran without a sandbox, with your own rights. What they report is only as good as the code that they ran.`;
}

function share(used: readonly string[], what: string): string[] {
  // A command is recorded with the reason beside it: `none: bubblewrap (bwrap) is not installed …`.
  const open = used.filter((sandbox) => /^none(?::|$)/.test(sandbox)).length;
  return open === 0 ? [] : [`${open} of ${used.length} ${what}`];
}
