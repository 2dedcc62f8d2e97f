// Why a program cannot start although it is installed: a path that it names is on this machine, and the sandbox hides it. It
// is measured: the same sandbox is asked for each path that the output names.
import { existsSync } from "node:fs";
import type { CommandRequest, CommandRunner } from "../../core/contract/index.ts";

type Place = Pick<CommandRequest, "cwd" | "writable" | "readable" | "shown" | "inherit">;

const path = /(?<![\w./-])\/[\w.@+~-]+(?:\/[\w.@+~-]+)+/g;
const most = 20;
const lookMs = 10_000;
const script = 'for one; do [ -e "$one" ] || printf "%s\\n" "$one"; done';

/** Nothing where no path of the output is there and hidden. */
export async function hiddenFrom(runner: CommandRunner, place: Place, said: string): Promise<string | undefined> {
  const named = [...new Set(said.match(path))].filter((one) => existsSync(one)).slice(0, most);
  if (named.length === 0) return undefined;
  const { stdout, ended, exitCode } = await runner.run({
    ...place,
    argv: ["sh", "-c", script, "sh", ...named],
    network: false,
    timeoutMs: lookMs,
    maxOutputBytes: 100_000,
  });
  if (ended !== "exited" || exitCode !== 0) return undefined;
  const hidden = new Set(Buffer.from(stdout).toString("utf8").split("\n"));
  return named.find((one) => hidden.has(one));
}
