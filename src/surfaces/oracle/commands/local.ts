// `oracle bundle` and `oracle apply`: the two halves of a run that need no model.
import { statusExit } from "../../../contract/transport/index.ts";
import { printJson } from "../failure.ts";
import { optionsFrom, stdinText } from "../options.ts";
import { printVerdict } from "../outcome.ts";
import type { Given } from "../program.ts";
import type { OracleWorld } from "../spec.ts";
import { progress } from "./run.ts";

/** Both need no prompt; the contract wants one, so that a run without a prompt cannot happen by accident. */
const noPrompt = { prompt: "(no prompt: nothing is sent)" };

export async function bundleCommand(given: Given, world: OracleWorld): Promise<number> {
  const { io } = world;
  const desk = await world.desk();
  const options = { ...optionsFrom(given), ...noPrompt, engine: "browser" as const };
  const resolved = await desk.resolve(options, stdinText(world));
  const output = typeof given["output"] === "string" ? given["output"] : null;
  const { text, ...packed } = await desk.pack(resolved, output);
  if (given["json"] === true) printJson(io, { ...packed, ...(text === null ? {} : { text }) });
  else if (text !== null) io.out(text);
  else io.out(`${packed.path ?? ""}\n`);
  io.err(`${packed.fileCount} files, ${packed.bytes} bytes, ${packed.excluded.length} left out\n`);
  return 0;
}

export async function applyCommand(
  words: readonly string[],
  given: Given,
  world: OracleWorld,
): Promise<number> {
  const { io } = world;
  const desk = await world.desk();
  const from = words[0] ?? "-";
  const answer = from === "-" ? await stdinText(world)() : desk.savedAnswer(from);
  const options = optionsFrom(given);
  const resolved = await desk.resolve(
    { applyMode: "check", ...options, ...noPrompt, engine: "browser" },
    async () => null,
  );
  const watch = { onLine: progress(world, true), signal: world.signal };
  const { result, diff } = await desk.applyAnswer(answer ?? "", resolved, watch);
  if (given["json"] === true) printJson(io, result);
  else io.out(diff ?? "");
  printVerdict(io, result);
  return statusExit[result.status];
}
