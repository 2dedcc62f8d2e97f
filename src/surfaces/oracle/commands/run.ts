// `oracle` itself: preview, or run and print the answer.
import { statusExit, type RunOutcome, type SessionView } from "../../../contract/transport/index.ts";
import { printJson } from "../failure.ts";
import { optionsFrom, stdinText } from "../options.ts";
import { printFiles, printPreview } from "../preview.ts";
import type { Given } from "../program.ts";
import { printOutcome } from "../outcome.ts";
import type { OracleWorld } from "../spec.ts";

export async function runCommand(given: Given, world: OracleWorld): Promise<number> {
  const { io } = world;
  const desk = await world.desk();
  const resolved = await desk.resolve(optionsFrom(given), stdinText(world));
  const json = given["json"] === true;
  const exact = given["countTokens"] === true;
  if (given["dryRun"] !== undefined) {
    const mode = String(given["dryRun"]);
    const preview = await desk.preview(resolved, exact);
    printPreview(io, preview, json ? "json" : mode, given["filesReport"] === true);
    if (mode === "full" && !json) io.out(`\n${await desk.render(resolved)}\n`);
    return 0;
  }
  if (given["render"] === true) {
    io.out(`${await desk.render(resolved)}\n`);
    return 0;
  }
  if (given["filesReport"] === true) printFiles(io.err, await desk.preview(resolved, exact));
  for (const warning of resolved.warnings) io.err(`warning: ${warning}\n`);
  const watch = { onLine: progress(world, given["quiet"] === true), signal: world.signal };
  if (world.inline) return told(await desk.runHere(resolved, watch), json, world);
  const started = await desk.start(resolved);
  return await afterStart(
    started,
    { json, wait: given["wait"] !== false, quiet: given["quiet"] === true },
    world,
  );
}

export const progress = (world: OracleWorld, quiet: boolean) => (line: string) => {
  if (!quiet) world.io.err(`${line}\n`);
};

export interface After {
  readonly json: boolean;
  readonly wait: boolean;
  readonly quiet: boolean;
}

/** A run in a process of its own: leave it there, or follow it to its end. */
export async function afterStart(started: SessionView, after: After, world: OracleWorld): Promise<number> {
  const { io } = world;
  const { id } = started.record;
  if (!after.wait) {
    if (after.json) printJson(io, { sessionId: id, status: started.record.status, folder: started.folder });
    else io.out(`${id}\n`);
    io.err(`Follow it with: oracle attach ${id}\n`);
    return 0;
  }
  if (!after.quiet) io.err(`session ${id}\n`);
  const desk = await world.desk();
  const seen = await desk.follow(id, { onLine: progress(world, after.quiet), signal: world.signal });
  return told(seen, after.json, world);
}

/** One table of exit codes, also for a run that was only watched. */
export function told(seen: RunOutcome | SessionView, json: boolean, world: OracleWorld): number {
  if (seen.result === null || !("answer" in seen)) {
    const { id } = seen.record;
    world.io.err(`Session ${id} goes on. Follow it: oracle attach ${id}   End it: oracle cancel ${id}\n`);
    return statusExit.error;
  }
  printOutcome(world, seen, json);
  const unwritten = seen.problems.some((problem) => problem.startsWith("result.json"));
  return unwritten && seen.result.status === "success" ? statusExit.error : statusExit[seen.result.status];
}
