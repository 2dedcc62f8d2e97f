// The configuration of agents. The diff is for the person's eyes; stdout can be put into a file.
import type { HostConfigured, HostRow } from "../../../operations/index.ts";
import { createStyle, type Style } from "../../argv/index.ts";
import { renders } from "./view.ts";

function rowsText(found: readonly HostRow[], style: Style): string {
  const words = {
    current: style.green("installed"),
    absent: style.dim("-"),
    different: style.dim("-"),
    unusable: style.red("cannot be read"),
  };
  const lines = found.map(
    ({ title, scope, file, state, problem }) =>
      `${title.padEnd(12)} ${scope.padEnd(8)} ${words[state].padEnd(10)} ${style.dim(problem ?? file ?? "")}\n`,
  );
  return `${lines.join("")}\nShow one: thehood mcp config codex. Write it: thehood mcp config codex --install\n`;
}

const paint = (diff: string, style: Style): string =>
  diff
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line))
    .join("\n");

function doneText(done: HostConfigured, style: Style): string {
  if (done.state === "current") return `${style.green("✔")} ${done.title} has it already: ${done.file}\n`;
  if (done.written)
    return `${style.green("✔")} written: ${done.file}${done.backup ? `\n  as it was: ${done.backup}` : ""}\n  ${done.next}\n`;
  return `${style.bold(done.file)}\n\n${done.snippet}\n${style.dim(`Write it with: thehood mcp config ${done.host} --install --scope ${done.scope}`)}\n`;
}

interface Configured {
  readonly hosts?: readonly HostRow[];
  readonly configured?: HostConfigured;
}

export const configured = renders<Configured>({
  json: ({ hosts, configured: done }) => ({
    schemaVersion: 1,
    ok: true,
    ...(hosts ? { items: hosts } : done),
  }),
  print({ hosts, configured: done }, { io, style, quiet }) {
    if (hosts) io.out(rowsText(hosts, style));
    if (!done) return;
    if (done.diff !== "" && !quiet) io.err(`${paint(done.diff, createStyle(io.color && io.live))}\n`);
    io.out(doneText(done, style));
  },
});

/** Standard output belonged to the protocol: there is nothing to add. */
export const served = renders<void>({ json: () => "", print: () => undefined });
