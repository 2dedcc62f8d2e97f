// Prints the help of a program before any other part of the program is loaded.
import process from "node:process";
import { storedHelp } from "../surfaces/argv/index.ts";
import { createStreams } from "../platform/system/index.ts";

export function showStoredHelp(program: string): boolean {
  const text = storedHelp(program, process.argv.slice(2));
  if (text === undefined) return false;
  const io = createStreams(process.env, (_, lost) => {
    if (lost) process.stderr.write(`${program}: the output could not be written completely.\n`);
    process.exit(lost ? 1 : 0);
  });
  io.out(text(io.color));
  return true;
}
