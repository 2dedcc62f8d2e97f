// The configuration of agents: what to write where, and writing it.
import { exitCodes, fail } from "../../../contract/index.ts";
import type { HostConfigured, HostRow, HostScope } from "../../../operations/index.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle, type Style } from "../style.ts";

const scopeOf = (call: Call): HostScope => (call.flags.text("scope") === "project" ? "project" : "user");

function rows(found: readonly HostRow[], style: Style): string {
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

function paint(diff: string, style: Style): string {
  return diff
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line))
    .join("\n");
}

function told(done: HostConfigured, style: Style): string {
  if (done.state === "current") return `${style.green("✔")} ${done.title} has it already: ${done.file}\n`;
  if (done.written)
    return `${style.green("✔")} written: ${done.file}${done.backup ? `\n  as it was: ${done.backup}` : ""}\n  ${done.next}\n`;
  return `${style.bold(done.file)}\n\n${done.snippet}\n${style.dim(`Write it with: thehood mcp config ${done.host} --install --scope ${done.scope}`)}\n`;
}

export const config: CommandBody = {
  async run(call) {
    const style = createStyle(call.io.color);
    const host = call.words["host"];
    if (host === undefined) {
      if (call.flags.on("install"))
        fail("invalid_input", "Which agent is it to be installed for?", {
          remedy: "thehood mcp config codex --install",
        });
      const found = await call.given.listHosts(call.repo);
      call.io.out(
        call.json ? `${JSON.stringify({ schemaVersion: 1, ok: true, items: found })}\n` : rows(found, style),
      );
      return exitCodes.ok;
    }
    const install = call.flags.on("install");
    const done = await call.given.configureHost({ host, scope: scopeOf(call), install, repo: call.repo });
    if (call.json) call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: true, ...done })}\n`);
    else {
      // What changes is for the person's eyes; what is printed on stdout can be put into a file.
      if (done.diff !== "" && !call.quiet)
        call.io.err(`${paint(done.diff, createStyle(call.io.color && call.io.live))}\n`);
      call.io.out(told(done, style));
    }
    return exitCodes.ok;
  },
};
