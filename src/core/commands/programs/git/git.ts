// git: its global options, then the subcommand; a subcommand that is neither a known reader nor a known writer is an alias.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../../call.ts";
import { isLiteral, showPattern } from "../../lexer/pattern.ts";
import { isOutside } from "../../paths/path-class.ts";
import { follow } from "../build.ts";
import { judgeSetting } from "./config.ts";
import { gitReader } from "./readers.ts";
import { gitWriters } from "./writers.ts";

const harmless = new Set(
  "--no-pager -P -p --paginate --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --no-advice --html-path --man-path --info-path --exec-path -v --version -h --help".split(
    " ",
  ),
);
const takesNext = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "--list-cmds",
]);

interface Leading {
  readonly rest: readonly Arg[];
  readonly aliases: ReadonlyMap<string, string>;
}

function leading(call: CommandCall): Leading {
  const aliases = new Map<string, string>();
  const { args } = call;
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] as Arg;
    const { text } = arg;
    if (!text.startsWith("-")) break;
    const glued = /^(-[Cc])(.+)$/s.exec(text) ?? /^(--[\w-]+)=(.*)$/s.exec(text);
    const name = glued?.[1] ?? text;
    const value = glued ? { ...arg, text: glued[2] ?? "" } : takesNext.has(name) ? args[(at += 1)] : undefined;
    if (name === "-c") {
      const found = value && judgeSetting(call, value);
      if (found) aliases.set(found.alias, found.value);
    } else if (name === "-C") {
      if (value) folder(call, value);
    } else if (!harmless.has(name) || glued)
      call.report("unknown", `git ${name} chooses other settings or programs`, arg);
  }
  return { rest: args.slice(at), aliases };
}

/** Another repository has its own settings, which can run programs. */
function folder(call: CommandCall, arg: Arg): void {
  const before = call.cwd;
  call.moveTo(arg.text);
  const foreign = call.cwd === before ? false : call.cwd.kind === "unknown" || isOutside(call.cwd, call.where);
  if (foreign)
    call.report("unknown", `${showPattern(arg.text)} may be a foreign repository with settings that run programs`, arg);
}

const git: ProgramJudge = (call) => {
  if (isOutside(call.cwd, call.where))
    call.report("unknown", "Outside the workspace git may meet a foreign repository with settings that run programs");
  const { rest, aliases } = leading(call);
  const [verb, ...args] = rest;
  if (!verb) return;
  if (!isLiteral(verb.text)) return call.report("unknown", "Which git command runs is only known when it runs", verb);
  const inner: CommandCall = { ...call, name: `git ${verb.text}`, args };
  const alias = aliases.get(verb.text);
  if (alias !== undefined) {
    const span = verb.span;
    call.report("unknown", "An alias given on the line", verb);
    return git({
      ...inner,
      name: "git",
      args: [...alias.split(/\s+/).map((text) => ({ text, span })), ...args],
    });
  }
  if (args.length === 1 && /^(-h|--help)$/.test(args[0]?.text ?? "")) return;
  for (const arg of args) {
    const file = /^--(?:output|export-marks)=(.+)$/s.exec(arg.text)?.[1];
    if (file !== undefined) call.write({ ...arg, text: file });
  }
  const reader = verb.text === "reflog" ? undefined : gitReader(verb.text);
  if (reader) return reader(inner);
  const rule = Object.hasOwn(gitWriters, verb.text) ? gitWriters[verb.text] : undefined;
  if (rule) return follow(rule, inner);
  call.report("unknown", `git ${showPattern(verb.text)} is not a git command; an alias may hide anything`, verb);
};

export const gitPrograms: ProgramJudges = {
  git,
  hub: git,
};
