// Builders for entries of the program tables: readers, fixed classes, programs with subcommands, wrappers, scripts of the
// project.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { anyOf, isLiteral, showPattern } from "../lexer/pattern.ts";
import type { CommandClass } from "../../contract/index.ts";
import { type OptionShape, isOption, parseOptions } from "../options.ts";
import { isScratch } from "../paths/path-class.ts";

export const splitWords = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** The same entry for many names. */
export function each(names: string, program: ProgramJudge): ProgramJudges {
  return Object.fromEntries(splitWords(names).map((name) => [name, program]));
}

const because: Record<CommandClass, string> = {
  read_only: "only reads",
  local_write: "writes files of the workspace",
  network: "talks to another machine",
  dependency_install: "installs packages, which can run code",
  destructive: "deletes, overwrites or ends things",
  credential_sensitive: "shows or uses credentials",
  unknown: "can run anything",
};

/** A program with a fixed class. */
export const always =
  (kind: CommandClass, why?: string, gated?: boolean): ProgramJudge =>
  (call) =>
    call.report(kind, `${call.name} ${why ?? because[kind]}`, undefined, gated);

export interface ReaderShape {
  /** Options that take a value; the value is judged as a path too, in case the list is wrong. */
  readonly values?: string;
  /** Options that take a text: a pattern, a script. */
  readonly texts?: string;
  /** Options whose value is a file that is read, or written. */
  readonly reads?: string;
  readonly writes?: string;
  /** Options that run a program. */
  readonly runs?: string;
  /** Options that write to a path given elsewhere. */
  readonly edits?: string;
  /** The number of leading arguments that are not paths: a pattern, a script. Fewer when one of `instead` is given. */
  readonly skip?: number;
  readonly instead?: string;
  /** It is always recursive. */
  readonly deep?: true;
  /** Options that make it recursive. */
  readonly recursive?: string;
  /** It shows names and sizes only, never the content of a secret file. */
  readonly namesOnly?: true;
  /** The second path is written. */
  readonly secondIsWritten?: boolean;
}

/** A program that reads its arguments, except for a few options. */
export function reader(shape: ReaderShape = {}): ProgramJudge {
  const [reads, writes, runs] = [
    splitWords(shape.reads ?? ""),
    splitWords(shape.writes ?? ""),
    splitWords(shape.runs ?? ""),
  ];
  const [edits, instead, recursive] = [
    splitWords(shape.edits ?? ""),
    splitWords(shape.instead ?? ""),
    splitWords(shape.recursive ?? ""),
  ];
  const texts = splitWords(shape.texts ?? "");
  const values = [...splitWords(shape.values ?? ""), ...texts, ...reads, ...writes, ...runs];
  const risky = writes.length + runs.length + edits.length > 0;
  const among = (name: string, list: readonly string[]) => list.some((known) => isOption(name, known));
  return (call) => {
    const parsed = parseOptions(call.args, { values });
    let skip = shape.skip ?? 0;
    for (const { name, value, arg } of parsed.options) {
      if (among(name, runs)) call.report("unknown", `${call.name} ${name} runs a program`, arg);
      if (among(name, edits)) call.report("local_write", `${call.name} ${name} writes files`, arg);
      if (among(name, writes)) {
        if (value) call.write(value);
        else call.report("local_write", `${call.name} ${name} writes a file`, arg);
      } else if (value && !among(name, texts)) call.read(value);
      if (among(name, instead)) skip = 0;
    }
    const deep = shape.deep || parsed.options.some(({ name }) => among(name, recursive));
    const paths = parsed.rest.slice(skip);
    if (parsed.options.some(({ name }) => among(name, edits))) paths.forEach((path) => call.write(path));
    for (const path of paths)
      if (deep) call.readAll(path);
      else if (!shape.namesOnly || call.placeOf(path.text).kind !== "inside") call.read(path);
    if (shape.secondIsWritten && paths[1]) call.write(paths[1]);
    // A file can be named like an option. A bare star can match such a file, `*.txt` hardly.
    const star = parsed.open && /^[\uE001\uE002]/.test(parsed.open.text);
    const invites = star ? runs.length > 0 && !/\.\w+$/.test(parsed.open?.text ?? "") : risky;
    if (invites && parsed.open)
      call.report("unknown", `${showPattern(parsed.open.text)} could be an option that writes or runs`, parsed.open);
  };
}

/** A program that works on the project; with one of these options it only reads. */
export const works =
  (looking: string = ""): ProgramJudge =>
  (call) => {
    const only = splitWords(looking);
    const outside = call.args.filter(({ text }) => /^(\/|~|\.\.\/)/.test(text));
    outside.forEach((arg) => call.read(arg));
    for (const arg of call.args) {
      const target = /^--?[\w-]*(?:out|dest|dir|file|target|report|cache)[\w-]*=(.+)$/s.exec(arg.text)?.[1];
      if (target !== undefined) call.write({ ...arg, text: target });
    }
    const serves = call.args.find(({ text }, at) => /^--serve(dir)?(=|$)/.test(text) || (at === 0 && text === "serve"));
    if (serves) serving({ ...call, name: `${call.name} ${serves.text}`, cwd: call.cwd });
    const sends = call.args.find(({ text }) => /^--(pastebin|upload|install-types)(=|$)/.test(text));
    const [verb] = call.args;
    if (
      verb &&
      /^(push|publish|login|upload|submit|download|deploy|introspect|translate-missing|version-manager)$/.test(
        verb.text,
      )
    )
      call.report("network", `${call.name} ${verb.text} talks to another machine`, verb);
    const loads = call.args.find(({ text }) =>
      /^--(listener|prerunmodifier|prerebotmodifier|pythonpath|variablefile|parser)(=|$)/i.test(text),
    );
    if (loads) call.report("unknown", `${call.name} ${loads.text} loads code`, loads);
    if (sends) call.report("network", `${call.name} ${sends.text} talks to another machine`, sends);
    if (only.length > 0 && call.args.some(({ text }) => only.includes(text))) return;
    call.report("local_write", `${call.name} works on the project`);
  };

/** Every argument that is not an option is written. */
export const writesAll =
  (values: readonly string[] = []): ProgramJudge =>
  (call) => {
    const { rest } = parseOptions(call.args, { values });
    rest.forEach((arg) => call.write(arg));
    if (rest.length === 0) call.report("local_write", `${call.name} writes files`);
  };

/** The rule for one subcommand. */
export type SubcommandRule = CommandClass | ProgramJudge;

interface SubcommandShape extends OptionShape {
  readonly table: Readonly<Record<string, SubcommandRule>>;
  /** Without a subcommand. */
  readonly none?: SubcommandRule;
  /** For a subcommand that is not in the table. */
  readonly other?: SubcommandRule;
  /** Options that run a program, at any position. */
  readonly runs?: readonly string[];
}

/** `groups("network", "push publish", …)` → a table. */
export function groups(...list: readonly (readonly [SubcommandRule, string])[]): Record<string, SubcommandRule> {
  return Object.fromEntries(list.flatMap(([rule, names]) => splitWords(names).map((name) => [name, rule])));
}

export function follow(rule: SubcommandRule, call: CommandCall): void {
  if (typeof rule === "function") rule(call);
  else call.report(rule, `${call.name} ${because[rule]}`);
}

/** A program whose first argument selects the action. */
export function subcommands(shape: SubcommandShape): ProgramJudge {
  return (call) => {
    const { rest } = parseOptions(call.args, { ...shape, stopEarly: true });
    const risky = call.args.find(({ text }) => shape.runs?.includes(text.split("=", 1)[0] ?? ""));
    if (risky) call.report("unknown", `${call.name} ${risky.text} can run a program`, risky);
    const [verb, ...args] = rest;
    if (!verb) return follow(shape.none ?? "read_only", call);
    if (args.length === 1 && args[0]?.text === "--help" && Object.hasOwn(shape.table, verb.text)) return;
    const other = shape.other ?? "unknown";
    const rule = isLiteral(verb.text) && Object.hasOwn(shape.table, verb.text) ? shape.table[verb.text] : other;
    follow(rule ?? other, { ...call, name: `${call.name} ${showPattern(verb.text)}`, args });
  };
}

export interface WrapperShape {
  readonly values?: string;
  /** Options without a value. An option that is neither here nor among the values is unknown. */
  readonly flags?: string;
  /** The number of arguments before the command that belong to the wrapper, e.g. the seconds of `timeout`. */
  readonly skip?: number;
  /** Options that write a file. */
  readonly writes?: string;
  /** Without a command. */
  readonly none?: SubcommandRule;
  /** The command runs with the rights of another user. */
  readonly rights?: boolean;
}

/** Running with the rights of another user always needs approval. */
export const privileged: ProgramJudge = (call) =>
  call.report("local_write", `${call.name} runs with the rights of another user`, undefined, true);

/** A program that starts another one. */
export function wrapper(shape: WrapperShape = {}): ProgramJudge {
  const writes = splitWords(shape.writes ?? "");
  const values = [...splitWords(shape.values ?? ""), ...writes];
  const known = [...values, ...splitWords(shape.flags ?? "")];
  return (call) => {
    if (shape.rights) privileged(call);
    const { options, rest } = parseOptions(call.args, { values, stopEarly: true });
    for (const { name, value, arg } of options) {
      if (value && writes.some((written) => isOption(name, written))) call.write(value);
      if (!known.some((option) => isOption(name, option)))
        call.report("unknown", `${call.name} ${name} is not an option this judge knows`, arg);
    }
    const inner = rest.slice(shape.skip ?? 0);
    if (inner.length > 0) call.run(inner);
    else follow(shape.none ?? "read_only", call);
  };
}

export const joinArgs = (args: readonly Arg[], fallback: Arg): Arg => ({
  text: args.map((arg) => arg.text).join(" "),
  span: {
    start: args[0]?.span.start ?? fallback.span.start,
    end: args.at(-1)?.span.end ?? fallback.span.end,
  },
});

/** Runs the arguments after the verb: `poetry run X` is X. */
export const runsRest =
  (valueOptions = ""): ProgramJudge =>
  (call) => {
    const { rest } = parseOptions(call.args, { values: splitWords(valueOptions), stopEarly: true });
    if (rest.length > 0) call.run(rest);
    else call.report("unknown", `${call.name} opens a shell`);
  };

const farWords = anyOf(String.raw`
  deploy publish release upload push install uninstall setup bootstrap clean clear drop flush reset
  destroy purge wipe delete remove prune kill stop develop migrate rollback seed login sync fetch download
  update upgrade shell dbshell exec eval serve server runserver start backup restore rotate provision
`);
/** Words in names and arguments of scripts that do more than build, test or read. */
const reachesFar = new RegExp(String.raw`(^|[^a-z])(${farWords})([^a-z]|$)`, "i");
/** Words that name nothing beyond a sandbox without network: what they start, fill or change is inside it. */
const nearWords =
  /(^|[^a-z])(setup|bootstrap|develop|migrate|seed|serve|server|runserver|start|shell|exec|eval|stop|kill|clean|clear)(?=[^a-z]|$)/gi;

const soundsFar = (text: string, here: boolean) => reachesFar.test(here ? text.replaceAll(nearWords, " ") : text);

/** The program deletes what it built before. */
export const cleaning: ProgramJudge = (call) => call.discard(`${call.name} deletes what was built`);

/** The program runs code of the project, e.g. `cargo run`. */
export const runningOwn: ProgramJudge = (call) =>
  void call.runsOwnCode(`${call.name} runs a program of the project, of unknown content`);

/** Answers requests: in a sandbox without network only those from inside it. */
export const serving: ProgramJudge = (call) => {
  if (call.where === "worktree") call.runsOwnCode(`${call.name} serves`);
  else call.report("network", `${call.name} serves others`);
};

/** A compiler, debugger, server or tool that runs code of the project in every call; quoted words may be lines that it starts. */
export const runsCode =
  (serves?: true): ProgramJudge =>
  (call) => {
    const [verb] = call.args;
    if (verb && farVerb.test(verb.text))
      return call.report("network", `${call.name} ${verb.text} talks to another machine`, verb);
    for (const arg of call.args) {
      if (/\s/.test(arg.text)) call.suspect({ ...arg, text: arg.text.replace(/^(platform )?(shell|!)\s+/, "") });
      call.read(arg);
    }
    // `//app:tests` names a target inside the project.
    const isFar = ({ text }: Arg) =>
      !isLiteral(text) || (!/^-?\/\/[\w.:/@+-]*$/.test(text) && call.isAway(text.replace(/^[^=]*=/, "")));
    const strange = call.args.find(isFar);
    if (strange) call.report("unknown", `${call.name} is pointed at a place outside the project`, strange);
    else if (serves) serving(call);
    else call.runsOwnCode(`${call.name} runs code of the project, of unknown content`);
  };
const farVerb = /^(publish|push|upload|deploy|login|logout|install|add|update|upgrade|self-update|release)$/;

/**
 * Judges an unchanged script of the last commit, in a sandboxed worktree also any other script there; false when the call is
 * not such a script.
 */
export function runsOwnScript(call: CommandCall, script: Arg, args: readonly Arg[]): boolean {
  if (!isLiteral(script.text)) return false;
  const { kind, path } = call.placeOf(script.text);
  const here =
    call.where === "worktree" &&
    (kind === "inside" || (kind === "outside" && (isScratch(path) || call.isNowhere(script.text))));
  if (!here && call.baseFile(script.text) !== "same") return false;
  const name = script.text.slice(script.text.lastIndexOf("/") + 1);
  if (soundsFar(name, here)) return false;
  const isFar = ({ text }: Arg) =>
    !isLiteral(text) || soundsFar(text, here) || call.isAway(text.replace(/^[^=]*=/, ""));
  if (args.some(isFar)) return false;
  args.forEach((arg) => call.read(arg));
  if (here) return call.runsOwnCode(`${script.text} is a script of the worktree`, script);
  call.report("local_write", `${script.text} is a script of the project, as its last commit holds it`, script);
  return true;
}
