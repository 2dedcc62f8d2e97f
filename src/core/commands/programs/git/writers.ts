// git's subcommands that change the work tree, the repository or other machines.
import type { ProgramJudge } from "../../call.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";
import { type SubcommandRule, groups, subcommands, splitWords } from "../build.ts";
import { gitConfig } from "./config.ts";
import { judgeGitArguments } from "./readers.ts";
import { branch, reflog, tag, updateRef } from "./refs.ts";
import { push, remote, remoteProgram, submodule } from "./remotes.ts";
import {
  gitApply,
  bisect,
  checkout,
  checkoutIndex,
  clean,
  remove,
  reset,
  restore,
  sequence,
  stash,
  worktree,
} from "./tree.ts";

const archive: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, {
    values: splitWords("-o --output --remote --exec --format --prefix --add-file --mtime"),
  });
  if (hasOption(parsed, "--remote", "--exec")) call.report("unknown", "git archive asks another program or machine");
  optionValues(parsed, "-o", "--output").forEach((arg) => call.write(arg));
  judgeGitArguments(call, parsed.rest);
};

const formatPatch: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, {
    values: splitWords(
      "-o --output-directory --start-number --subject-prefix --suffix -v --to --cc --from --in-reply-to --base",
    ),
  });
  optionValues(parsed, "-o", "--output-directory").forEach((arg) => call.write(arg));
  if (!hasOption(parsed, "--stdout")) call.report("local_write", "git format-patch writes files");
};

const gc: ProgramJudge = (call) =>
  call.name.endsWith(" maintenance") && /^(start|stop|register|unregister)$/.test(call.args[0]?.text ?? "")
    ? call.report("local_write", "git maintenance changes what this machine runs on a schedule", undefined, true)
    : call.args.some(({ text }) => /^--(prune|aggressive|cruft)/.test(text))
      ? call.report("destructive", "git gc removes the way back")
      : call.report("local_write", `${call.name} repacks the repository`);

const reads: ProgramJudge = (call) =>
  judgeGitArguments(
    call,
    parseOptions(call.args, {
      values: splitWords("-m --message -F --file -C -c --author --date --fixup --squash"),
    }).rest,
  );

const adding: ProgramJudge = (call) => {
  reads(call);
  const files = parseOptions(call.args, { values: ["-F", "--file", "-t", "--template"] });
  optionValues(files, "-F", "--file", "-t", "--template").forEach((arg) => call.read(arg));
  if (call.name.endsWith(" read-tree") && call.args.some(({ text }) => text === "-u" || text === "--reset"))
    call.report("destructive", "git read-tree overwrites files of the checkout");
  if (call.name.endsWith(" notes") && /^(remove|prune)$/.test(call.args[0]?.text ?? ""))
    call.report("destructive", "git notes deletes notes");
  const amends = call.name.endsWith(" commit") && call.args.find(({ text }) => text === "--amend");
  if (amends)
    call.report("local_write", "git commit --amend replaces the last commit", amends, call.where !== "worktree");
  const template = call.args.find(({ text }) => /^--template(=|$)/.test(text));
  if (template && / (init(-db)?|clone)$/.test(call.name))
    call.report("unknown", "git takes hooks from a template", template);
  if (/ init(-db)?$/.test(call.name))
    parseOptions(call.args, { values: ["-b"] }).rest.forEach((arg) => call.write(arg));
  call.report("local_write", `${call.name} writes to the repository`);
};

const help: ProgramJudge = (call) => {
  if (call.args.some(({ text }) => /^(-w|--web|-i|--info)$/.test(text)))
    call.report("unknown", "git help opens another program");
};

export const gitWriters: Readonly<Record<string, SubcommandRule>> = {
  ...groups(
    [
      adding,
      "add stage commit mv notes update-index read-tree write-tree commit-tree mktag mktree hash-object pack-refs pack-objects unpack-objects index-pack rerere sparse-checkout fast-export multi-pack-index commit-graph init init-db interpret-trailers merge-file mailinfo mailsplit",
    ],
    [sequence, "merge rebase cherry-pick revert am"],
    [gc, "gc repack maintenance"],
    ["destructive", "prune prune-packed filter-branch filter-repo fast-import quiltimport"],
    [
      "network",
      "send-email imap-send request-pull svn p4 cvsimport cvsexportcommit cvsserver daemon http-backend http-fetch http-push instaweb fetch-pack send-pack archimport",
    ],
    [remoteProgram, "clone fetch pull ls-remote"],
    [
      "credential_sensitive",
      "credential credential-store credential-cache credential-cache--daemon credential-manager credential-osxkeychain credential-libsecret credential-manager-core",
    ],
    [
      "unknown",
      "difftool mergetool shell upload-pack receive-pack upload-archive gui gitk citool web--browse verify-commit verify-tag hook remote-ext remote-fd for-each-repo diagnose bugreport",
    ],
  ),
  bundle: subcommands({
    table: groups(
      ["read_only", "verify list-heads"],
      ["local_write", "unbundle"],
      [
        (call) => {
          parseOptions(call.args)
            .rest.slice(0, 1)
            .forEach((arg) => call.write(arg));
          call.report("local_write", "git bundle writes a file");
        },
        "create",
      ],
    ),
  }),
  checkout,
  switch: (call) => {
    const parsed = parseOptions(call.args, {
      values: ["-c", "-C", "--create", "--force-create", "--orphan"],
    });
    if (hasOption(parsed, "-f", "--force", "--discard-changes", "-C", "--force-create"))
      call.report("destructive", "git switch throws away uncommitted edits");
    call.report("local_write", "git switch changes the branch");
  },
  restore,
  push,
  stash,
  branch,
  tag,
  remote,
  reset,
  clean,
  rm: remove,
  worktree,
  submodule,
  bisect,
  archive,
  "format-patch": formatPatch,
  apply: gitApply,
  config: gitConfig,
  "update-ref": updateRef,
  "checkout-index": checkoutIndex,
  "symbolic-ref": (call) => {
    const parsed = parseOptions(call.args, { values: ["-m"] });
    if (hasOption(parsed, "-d", "--delete")) call.report("destructive", "git symbolic-ref deletes a reference");
    else if (parsed.rest.length > 1) call.report("local_write", "git symbolic-ref moves a reference", undefined, true);
  },
  reflog,
  replace: (call) => {
    const lists = call.args.length === 0 || call.args.some(({ text }) => /^(-l|--list)$/.test(text));
    if (!lists) call.report("local_write", "git replace shows other objects in the place of old ones", undefined, true);
  },
  help,
  lfs: subcommands({
    table: groups(
      ["read_only", "ls-files status env version logs"],
      ["network", "fetch pull push clone lock unlock locks"],
      ["destructive", "prune migrate"],
      [
        (call) => call.report("local_write", `${call.name} changes git's settings`, undefined, true),
        "install uninstall track untrack update",
      ],
      ["local_write", "checkout fsck dedup"],
    ),
  }),
  flow: "unknown",
  crypt: "credential_sensitive",
};
