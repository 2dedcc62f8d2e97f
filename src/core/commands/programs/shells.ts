// Shells: code from `-c`, from a file, from standard input.
import type { Arg, CommandCall, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { each, runsOwnScript } from "./build.ts";

/** Code that comes in on standard input. */
export function feedCode(call: CommandCall, use: (code: Arg) => void): void {
  const { feed } = call;
  switch (feed.kind) {
    case "text":
      if (!feed.exact) call.report("unknown", `${call.name} runs text that is only known when it runs`);
      return use({ text: feed.text.replaceAll(/[\uE000-\uE002]/g, "X"), span: feed.span });
    case "file":
      return call.report("unknown", `${call.name} runs a file of unknown content`);
    case "unknown":
      return call.report("unknown", `${call.name} runs whatever is piped into it`);
    case "none":
      return call.report("unknown", `${call.name} waits for commands`);
  }
}

function shell(call: CommandCall): void {
  const { options, rest } = parseOptions(call.args, {
    values: ["-O", "+O", "--rcfile", "--init-file"],
    stopEarly: true,
  });
  const letters = options.map(({ name }) => name);
  if (letters.includes("--rcfile") || letters.includes("--init-file"))
    call.report("unknown", `${call.name} reads a start-up file`);
  const operands = dropPlusOptions(rest, letters);
  if (letters.includes("-c")) {
    const [code] = operands;
    if (!code) return call.report("unknown", `${call.name} -c without code`);
    return call.code(code);
  }
  const [script] = operands;
  if (!script || letters.includes("-s")) return feedCode(call, call.code);
  if (script.text === "-" || /^\/dev\/(stdin|fd\/0)$/.test(script.text)) return feedCode(call, call.code);
  if (letters.includes("-n") && !letters.includes("-i")) return call.read(script);
  call.read(script);
  if (!runsOwnScript(call, script, operands.slice(1)))
    call.report("unknown", `${call.name} runs a script of unknown content`, script);
}

/** `bash +x -c …` and `bash -o pipefail -c …`. */
function dropPlusOptions(rest: readonly Arg[], letters: string[]): readonly Arg[] {
  let operands = rest;
  for (;;) {
    const [first] = operands;
    if (first && /^[+-]\w+$/.test(first.text)) {
      for (const letter of first.text.slice(1)) letters.push(`-${letter}`);
      operands = operands.slice(1);
    } else if (
      first &&
      (letters.at(-1) === "-o" || letters.at(-1) === "-O") &&
      /^[a-z]+$/.test(first.text) &&
      operands.length > 1
    ) {
      letters.push("");
      operands = operands.slice(1);
    } else return operands;
  }
}

export const shells: ProgramJudges = {
  ...each("sh bash dash zsh", shell),
  busybox: (call) => (call.args.length > 0 ? call.run(call.args) : undefined),
  toybox: (call) => (call.args.length > 0 ? call.run(call.args) : undefined),
};
