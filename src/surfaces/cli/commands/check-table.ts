// The judges' commands.
import type { CommandSpec, OptionSpec } from "../spec.ts";

const group = "Judge";
const jsonl: OptionSpec = {
  name: "jsonl",
  help: "read one JSON object a line on stdin and answer one a line",
};
const file = { name: "file", optional: true, help: "a file, or - for standard input (the default)" };
const patchFlags: readonly OptionSpec[] = [
  { name: "restrict-path-prefix", value: "dir", help: "refuse paths outside this folder" },
  { name: "approve-protected", help: "you approve changes to protected paths" },
  {
    name: "approve-path",
    value: "path",
    many: true,
    help: "you approve this file with everything in it, a secret too; may be repeated",
  },
  { name: "allow-binary", help: "allow binary changes" },
];

export const checkTable: readonly CommandSpec[] = [
  {
    name: "check command",
    group,
    summary: "Tell what a shell line would do and whether it would be asked about",
    args: [{ name: "line", optional: true, rest: true, help: "the shell line (default: standard input)" }],
    options: [jsonl],
    passthrough: true,
    examples: ['thehood check command "sudo rm -rf build"'],
    load: async () => (await import("./check.ts")).command,
  },
  {
    name: "check patch",
    group,
    summary: "Tell whether a patch is accepted, needs approval or is refused",
    args: [file],
    options: [jsonl, ...patchFlags],
    load: async () => (await import("./check.ts")).patch,
  },
  {
    name: "check reply",
    group,
    summary: "Find the diff in a model's answer",
    args: [file],
    options: [jsonl],
    load: async () => (await import("./check.ts")).reply,
  },
  {
    name: "check secrets",
    group,
    summary: "Find secrets in a text",
    args: [file],
    options: [jsonl],
    load: async () => (await import("./check.ts")).secrets,
  },
  {
    name: "check path",
    group,
    summary: "Tell whether a path may be opened under a root",
    args: [{ name: "path", optional: true, help: "the path" }],
    options: [
      jsonl,
      { name: "root", value: "dir", help: "the root (default: the repository)" },
      { name: "op", value: "op", choices: ["read", "write", "segment"], help: "what it would be opened for" },
    ],
    load: async () => (await import("./check.ts")).path,
  },
  {
    name: "check repo",
    group,
    summary: "Tell what in a repository would run or steer an agent, without running anything",
    args: [{ name: "dir", optional: true, help: "the folder (default: this one)" }],
    load: async () => (await import("./check.ts")).repo,
  },
  {
    name: "patch check",
    group,
    summary: "Judge a patch against a repository",
    args: [file],
    options: patchFlags,
    load: async () => (await import("./check.ts")).patchOnRepo,
  },
  {
    name: "patch apply",
    group,
    summary: "Judge a patch and apply it to the checkout, all or nothing",
    args: [file],
    options: patchFlags,
    load: async () => (await import("./check.ts")).applyPatch,
  },
];
