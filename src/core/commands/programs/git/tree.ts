// git's subcommands that change the work tree and the index, and can discard uncommitted edits.
import type { CommandCall, ProgramJudge } from "../../call.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";
import { groups, subcommands, splitWords } from "../build.ts";
import { judgeGitArguments } from "./readers.ts";

const looksLikePath = (text: string) =>
  text === "." ||
  text === ".." ||
  text.endsWith("/") ||
  /[*?:\uE000-\uE002]|^\.\.?\/|^:|\/\.|\.[A-Za-z]\w*$/.test(text);

export const checkout: ProgramJudge = (call) => {
  const dashes = call.args.some(({ text }) => text === "--");
  const parsed = parseOptions(call.args, {
    values: ["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"],
  });
  const makes = hasOption(parsed, "-b", "--orphan", "-t", "--track");
  if (hasOption(parsed, "-f", "--force", "-B", "--pathspec-from-file"))
    call.report("destructive", `${call.name} throws away uncommitted edits`);
  if (hasOption(parsed, "--ours", "--theirs") || dashes) call.discard(`${call.name} throws away uncommitted edits`);
  const paths = makes ? [] : parsed.rest;
  const discards = paths.length > 1 || paths.some(({ text }) => looksLikePath(text));
  if (discards) call.discard(`${call.name} of a path throws away uncommitted edits`);
  judgeGitArguments(call, parsed.rest);
  call.report("local_write", `${call.name} changes the work tree`);
};

export const restore: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, { values: ["-s", "--source", "--pathspec-from-file"] });
  judgeGitArguments(call, parsed.rest);
  const staged = hasOption(parsed, "-S", "--staged");
  if (staged && !hasOption(parsed, "-W", "--worktree"))
    return call.report("local_write", "Takes files out of the index");
  if (hasOption(parsed, "--pathspec-from-file"))
    return call.report("destructive", "git restore throws away uncommitted edits");
  call.discard("git restore throws away uncommitted edits");
};

export const stash: ProgramJudge = subcommands({
  table: groups(
    ["read_only", "list"],
    [(call: CommandCall) => judgeGitArguments(call, parseOptions(call.args).rest), "show"],
    ["destructive", "drop clear"],
    ["local_write", "push save pop apply branch create store"],
  ),
  none: "local_write",
});

export const reset: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, { values: ["--pathspec-from-file"] });
  const stays = parsed.rest.every(({ text }) => text === "HEAD");
  if (hasOption(parsed, "--hard", "--merge", "--keep"))
    return stays
      ? call.discard("git reset throws away uncommitted edits")
      : call.report("destructive", "git reset throws away uncommitted edits and moves the branch");
  call.report("local_write", "git reset moves the branch or the index");
};

export const clean: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, { values: ["-e", "--exclude"] });
  const dry = hasOption(parsed, "-n", "--dry-run");
  if (!dry) call.discard("git clean deletes untracked files");
};

export const remove: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args);
  if (hasOption(parsed, "-n", "--dry-run")) return;
  if (hasOption(parsed, "--cached")) return call.report("local_write", "git rm --cached takes files out of the index");
  if (parsed.rest.length === 0) return call.report("destructive", "git rm deletes files");
  for (const arg of parsed.rest) call.remove(arg, "git rm deletes files");
};

/** Aborting discards the work of the operation. */
export const sequence: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, {
    values: splitWords("-x --exec -s --strategy -X --strategy-option -m --message -F --file --onto"),
  });
  for (const code of optionValues(parsed, "-x", "--exec")) if (call.name.endsWith("rebase")) call.code(code);
  if (hasOption(parsed, "--abort", "--quit")) call.discard(`${call.name} --abort throws work away`);
  if (hasOption(parsed, "-x", "--exec") && call.name.endsWith("rebase"))
    call.report("unknown", "git rebase --exec runs a command for each commit");
  if (hasOption(parsed, "-i", "--interactive", "--edit-todo") && call.name.endsWith("rebase"))
    call.report("unknown", "git rebase -i runs an editor and whatever its list says");
  const onto = parsed.options.find(({ name }) => name === "--onto");
  if (onto) call.report("local_write", `${call.name} --onto leaves commits out of history`, onto.arg, true);
  call.report("local_write", `${call.name} changes history or the work tree`);
};

export const worktree: ProgramJudge = subcommands({
  table: groups(
    ["read_only", "list"],
    ["destructive", "remove prune"],
    [
      (call) => {
        const { rest } = parseOptions(call.args, { values: ["-b", "-B", "--reason"] });
        rest.slice(0, 1).forEach((arg) => call.write(arg));
        call.report("local_write", "git worktree add makes a work tree");
      },
      "add",
    ],
    ["local_write", "lock unlock move repair"],
  ),
});

export const bisect: ProgramJudge = subcommands({
  table: groups(
    ["read_only", "log view visualize terms help"],
    [
      (call) => {
        call.run(call.args);
        call.report("local_write", "git bisect run checks out commits");
      },
      "run",
    ],
    ["local_write", "start good bad new old skip next replay"],
    ["destructive", "reset"],
  ),
});

export const gitApply: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, {
    values: splitWords("-p -C --directory --exclude --include --whitespace --build-fake-ancestor"),
  });
  parsed.rest.forEach((arg) => call.read(arg));
  if (hasOption(parsed, "--check", "--stat", "--numstat", "--summary") && !hasOption(parsed, "--apply")) return;
  optionValues(parsed, "--directory").forEach((folder) => call.write(folder));
  if (hasOption(parsed, "--unsafe-paths"))
    call.report("local_write", "git apply may write outside the work tree", undefined, true);
  call.report("local_write", "git apply edits the tree");
};

export const checkoutIndex: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, { values: ["--prefix", "--stage"] });
  optionValues(parsed, "--prefix").forEach((arg) => call.write(arg));
  if (hasOption(parsed, "-f", "--force")) call.report("destructive", "git -f overwrites files");
  call.report("local_write", "git writes files");
};
