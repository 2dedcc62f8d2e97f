// The judges of commands, replies, secrets, paths and repositories, without a run.
import { commandPlaces, exitCodes, type PlacedSecret } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { decoded, list, source, text, choice, optional, withDefault } from "../define/index.ts";
import { jsonl, judgedLines, file } from "./fields.ts";

export const checkCommand = define({
  name: "check command",
  group: "Judge",
  summary: "Tell what a shell line would do and whether it would be asked about",
  examples: ['thehood check command "sudo rm -rf build"', "thehood check command --where worktree -- rm -rf build"],
  effect: "reads",
  input: {
    line: list(text("a word"), "the shell line (default: standard input)"),
    stdin: source("standard input", { cli: { hidden: true } }),
    jsonl,
    where: withDefault(
      choice(
        commandPlaces,
        "where it runs: on your machine, in a checkout that git can restore, or in a sandboxed worktree without network",
      ),
      "machine",
    ),
  },
  async handle({ line, stdin, jsonl: stream, where }, context) {
    if (stream) return { lines: judgedLines("command", context, where) };
    const command = line.length > 0 ? line.join(" ") : decoded(await stdin.bytes()).replace(/\n$/, "");
    return { verdict: await context.ports.judges.command(command, context.folder, where) };
  },
  cli: {
    args: ["line"],
    rest: true,
    passthrough: true,
    exit: ({ verdict }) => (verdict?.gated ? exitCodes.approvalRequired : exitCodes.ok),
  },
});

export const checkReply = define({
  name: "check reply",
  group: "Judge",
  summary: "Find the diff in a model's answer",
  effect: "reads",
  input: { file, jsonl },
  async handle({ file: answer, jsonl: stream }, context) {
    if (stream) return { lines: judgedLines("reply", context) };
    return { verdict: await context.ports.judges.reply(decoded(await answer.bytes())) };
  },
  cli: {
    args: ["file"],
    exit: ({ verdict }) => (verdict?.selected === null ? exitCodes.failure : exitCodes.ok),
  },
});

function placeOf(text: string, start: number): Pick<PlacedSecret, "line" | "column"> {
  const before = text.slice(0, start).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export const checkSecrets = define({
  name: "check secrets",
  group: "Judge",
  summary: "Find secrets in a text",
  effect: "reads",
  input: {
    file,
    jsonl,
    use: withDefault(
      choice(["transfer", "print"], "whether the text would leave the machine, or only be shown or logged", {
        cli: { name: "for" },
      }),
      "transfer",
    ),
  },
  async handle({ file: text, jsonl: stream, use }, context) {
    if (stream) return { lines: judgedLines("secrets", context, undefined, use) };
    const whole = decoded(await text.bytes());
    const { matches, redacted } = await context.ports.judges.secrets(whole, text.name, use);
    const placed = matches.map((match) => ({ ...match, ...placeOf(whole, match.start) }));
    return { verdict: { matches: placed, redacted }, file: text.name };
  },
  cli: {
    args: ["file"],
    exit: ({ verdict }) => (verdict && verdict.matches.length > 0 ? exitCodes.failure : exitCodes.ok),
  },
});

export const checkPath = define({
  name: "check path",
  group: "Judge",
  summary: "Tell whether a path may be opened under a root",
  effect: "reads",
  input: {
    path: withDefault(text("the path"), ""),
    jsonl,
    root: optional(text("the root (default: the repository)", { cli: { value: "dir" } })),
    op: withDefault(choice(["read", "write", "segment"], "what it would be opened for"), "read"),
  },
  async handle({ path, jsonl: stream, root, op }, context) {
    if (stream) return { lines: judgedLines("path", context) };
    return { verdict: await context.ports.judges.path(root ?? context.folder, path, op) };
  },
  cli: {
    args: ["path"],
    exit: ({ verdict }) => (verdict && !verdict.allowed ? exitCodes.permissionDenied : exitCodes.ok),
  },
});

export const checkRepo = define({
  name: "check repo",
  group: "Judge",
  summary: "Tell what in a repository would run or steer an agent, without running anything",
  effect: "reads",
  input: { dir: optional(text("the folder (default: this one)")) },
  handle: async ({ dir }, context) => ({
    verdict: await context.ports.judges.repository(dir ?? context.folder),
  }),
  cli: {
    args: ["dir"],
    exit: ({ verdict }) =>
      verdict.findings.some(({ severity }) => severity !== "low") ? exitCodes.approvalRequired : exitCodes.ok,
  },
});
