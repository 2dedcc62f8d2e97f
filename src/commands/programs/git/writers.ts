// git's subcommands that change the work tree, the repository or other machines.
import type { Program } from "../../call.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";
import { ANY } from "../../text/pattern.ts";
import { type Rule, groups, joinArgs, subcommands, words } from "../build.ts";
import { gitConfig } from "./config.ts";
import { readGitWords } from "./readers.ts";

const looksLikePath = (text: string) =>
  text === "." ||
  text === ".." ||
  text.endsWith("/") ||
  /[*?:\uE000-\uE002]|^\.\.?\/|^:|\/\.|\.[A-Za-z]\w*$/.test(text);

const checkout: Program = (call) => {
  const dashes = call.args.some(({ text }) => text === "--");
  const parsed = parseOptions(call.args, {
    values: ["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"],
  });
  const makes = hasOption(parsed, "-b", "--orphan", "-t", "--track");
  if (hasOption(parsed, "-f", "--force", "-B", "--ours", "--theirs", "--pathspec-from-file") || dashes)
    call.report("destructive", `${call.name} throws away uncommitted edits`);
  const paths = makes ? [] : parsed.rest;
  const discards = paths.length > 1 || paths.some(({ text }) => looksLikePath(text));
  if (discards) call.report("destructive", `${call.name} of a path throws away uncommitted edits`);
  readGitWords(call, parsed.rest);
  call.report("local_write", `${call.name} changes the work tree`);
};

const restore: Program = (call) => {
  const parsed = parseOptions(call.args, { values: ["-s", "--source", "--pathspec-from-file"] });
  readGitWords(call, parsed.rest);
  const staged = hasOption(parsed, "-S", "--staged");
  if (staged && !hasOption(parsed, "-W", "--worktree"))
    return call.report("local_write", "Takes files out of the index");
  call.report("destructive", "git restore throws away uncommitted edits");
};

const push: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: ["-o", "--push-option", "--repo", "--receive-pack", "--exec"],
  });
  if (hasOption(parsed, "--receive-pack", "--exec"))
    call.report("unknown", "git push runs a program on the other side");
  const forces = hasOption(
    parsed,
    "-f",
    "--force",
    "--force-with-lease",
    "--force-if-includes",
    "--delete",
    "-d",
    "--mirror",
    "--prune",
  );
  const refspec = parsed.rest.slice(1).find(({ text }) => /^[+:]/.test(text) || text.includes(ANY));
  if (forces || (refspec && /^[+:]/.test(refspec.text)))
    call.report("destructive", "git push rewrites or deletes what others have", refspec);
  call.report("network", "git push publishes");
};

const remoteProgram: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: [
      "--upload-pack",
      "-u",
      "--exec",
      "-c",
      "--config",
      "--depth",
      "-b",
      "--branch",
      "-o",
      "--origin",
      "--reference",
      "-j",
      "--jobs",
      "--filter",
    ],
  });
  const run = parsed.options.find(({ name }) =>
    /^--(upload-pack|exec|upload-pac|template|separate-git-dir)$/.test(name),
  );
  if (run && run.name !== "--separate-git-dir")
    call.report("unknown", `${call.name} ${run.name} runs a program`, run.arg);
  const helper = call.args.find(({ text }) => /^(-\S*=)?\w+::/.test(text));
  if (helper) call.report("unknown", "This address makes git run a helper program", helper);
  if (call.name.endsWith(" clone")) {
    if (hasOption(parsed, "-c", "--config"))
      call.report("unknown", "git clone takes settings along", undefined);
    const target = parsed.rest[1];
    if (target) call.write(target);
  }
  call.report("network", `${call.name} talks to another machine`);
};

const stash: Program = subcommands({
  table: groups(
    ["read_only", "list show"],
    ["destructive", "drop clear"],
    ["local_write", "push save pop apply branch create store"],
  ),
  none: "local_write",
});

const branch: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: words("--sort --format --contains --no-contains --points-at -u --set-upstream-to"),
  });
  if (hasOption(parsed, "-d", "-D", "--delete", "-f", "--force", "-M", "-C"))
    return call.report("destructive", `${call.name} deletes or resets a branch`);
  const known = words(
    "-a --all -r --remotes -v -vv --verbose --list -l --show-current --contains --no-contains --merged --no-merged --sort --format --points-at --column --no-column --color --no-color --abbrev --no-abbrev -i --ignore-case -q --quiet --omit-empty -m --move -c --copy -u --set-upstream-to --unset-upstream -t --track --no-track --create-reflog",
  );
  const strange = parsed.options.find(({ name }) => !known.includes(name));
  if (strange) call.report("unknown", `${call.name} ${strange.name} is not known`, strange.arg);
  const lists = hasOption(
    parsed,
    "--list",
    "-l",
    "--show-current",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
  );
  const changes = hasOption(
    parsed,
    "-m",
    "--move",
    "-c",
    "--copy",
    "-u",
    "--set-upstream-to",
    "--unset-upstream",
  );
  if (changes || (parsed.rest.length > 0 && !lists))
    call.report("local_write", `${call.name} changes branches`);
};

const tag: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: words("-m --message -F --file -u --local-user --sort --format --points-at --contains"),
  });
  if (hasOption(parsed, "-d", "--delete", "-f", "--force"))
    return call.report("destructive", "git tag deletes or moves a tag");
  const lists = hasOption(
    parsed,
    "-l",
    "--list",
    "-n",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
    "--sort",
    "--format",
  );
  if (hasOption(parsed, "-v", "--verify", "-s", "--sign", "-u", "--local-user"))
    call.report("unknown", "git tag runs the signing program");
  if (parsed.rest.length > 0 && !lists) call.report("local_write", "git tag makes a tag");
};

const remote: Program = subcommands({
  table: groups(
    ["read_only", "get-url"],
    ["network", "show update prune"],
    [
      (call) => call.report("local_write", "Changes where git talks to", undefined, true),
      "add rename set-url set-head set-branches",
    ],
    ["destructive", "remove rm"],
  ),
});

const reset: Program = (call) => {
  const parsed = parseOptions(call.args, { values: ["--pathspec-from-file"] });
  if (hasOption(parsed, "--hard", "--merge", "--keep"))
    return call.report("destructive", "git reset throws away uncommitted edits");
  call.report("local_write", "git reset moves the branch or the index");
};

const clean: Program = (call) => {
  const parsed = parseOptions(call.args, { values: ["-e", "--exclude"] });
  const dry = hasOption(parsed, "-n", "--dry-run");
  if (!dry) call.report("destructive", "git clean deletes untracked files");
};

const remove: Program = (call) => {
  const parsed = parseOptions(call.args);
  if (hasOption(parsed, "-n", "--dry-run")) return;
  if (hasOption(parsed, "--cached"))
    return call.report("local_write", "git rm --cached takes files out of the index");
  call.report("destructive", "git rm deletes files");
};

/** Stopping half way throws the work of the attempt away. */
const sequence: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: words("-x --exec -s --strategy -X --strategy-option -m --message -F --file --onto"),
  });
  for (const code of optionValues(parsed, "-x", "--exec")) if (call.name.endsWith("rebase")) call.code(code);
  if (hasOption(parsed, "--abort", "--quit"))
    call.report("destructive", `${call.name} --abort throws work away`);
  if (hasOption(parsed, "--exec") && call.name.endsWith("rebase"))
    call.report("unknown", "git rebase --exec runs a command for each commit");
  call.report("local_write", `${call.name} changes history or the work tree`);
};

const worktree: Program = subcommands({
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

const submodule: Program = subcommands({
  table: groups(
    ["read_only", "status summary"],
    ["network", "update add sync"],
    ["destructive", "deinit"],
    ["local_write", "init absorbgitdirs set-branch set-url"],
    [
      (call) => {
        const { rest } = parseOptions(call.args, { stopEarly: true });
        const [first] = rest;
        if (first) call.code(joinArgs(rest, first));
        call.report("unknown", "git submodule foreach runs a command in each submodule");
      },
      "foreach",
    ],
  ),
});

const bisect: Program = subcommands({
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

const archive: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: words("-o --output --remote --exec --format --prefix --add-file --mtime"),
  });
  if (hasOption(parsed, "--remote", "--exec"))
    call.report("unknown", "git archive asks another program or machine");
  optionValues(parsed, "-o", "--output").forEach((arg) => call.write(arg));
  readGitWords(call, parsed.rest);
};

const formatPatch: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: words(
      "-o --output-directory --start-number --subject-prefix --suffix -v --to --cc --from --in-reply-to --base",
    ),
  });
  optionValues(parsed, "-o", "--output-directory").forEach((arg) => call.write(arg));
  if (!hasOption(parsed, "--stdout")) call.report("local_write", "git format-patch writes files");
};

const gc: Program = (call) =>
  call.args.some(({ text }) => /^--(prune|aggressive|cruft)/.test(text))
    ? call.report("destructive", "git gc removes the way back")
    : call.report("local_write", `${call.name} repacks the repository`);

const checkoutIndex: Program = (call) =>
  hasOption(parseOptions(call.args), "-f", "--force")
    ? call.report("destructive", "git -f overwrites files")
    : call.report("local_write", "git writes files");

const reads: Program = (call) =>
  readGitWords(
    call,
    parseOptions(call.args, {
      values: words("-m --message -F --file -C -c --author --date --fixup --squash"),
    }).rest,
  );

const adding: Program = (call) => {
  reads(call);
  const files = parseOptions(call.args, { values: ["-F", "--file", "-t", "--template"] });
  optionValues(files, "-F", "--file", "-t", "--template").forEach((arg) => call.read(arg));
  if (/ init(-db)?$/.test(call.name))
    parseOptions(call.args, { values: ["-b"] }).rest.forEach((arg) => call.write(arg));
  call.report("local_write", `${call.name} writes to the repository`);
};

const apply: Program = (call) => {
  const parsed = parseOptions(call.args, {
    values: words("-p -C --directory --exclude --include --whitespace --build-fake-ancestor"),
  });
  parsed.rest.forEach((arg) => call.read(arg));
  if (hasOption(parsed, "--check", "--stat", "--numstat", "--summary") && !hasOption(parsed, "--apply"))
    return;
  if (hasOption(parsed, "--unsafe-paths"))
    call.report("local_write", "git apply may write outside the work tree", undefined, true);
  call.report("local_write", "git apply edits the tree");
};

const updateRef: Program = (call) =>
  hasOption(parseOptions(call.args, { values: ["-m"] }), "-d", "--stdin")
    ? call.report("destructive", "git update-ref deletes or rewrites references")
    : call.report("local_write", "git update-ref moves a reference", undefined, true);

const help: Program = (call) => {
  if (call.args.some(({ text }) => /^(-w|--web|-i|--info)$/.test(text)))
    call.report("unknown", "git help opens another program");
};

const reflog: Program = subcommands({
  table: groups(["read_only", "show exists list"], ["destructive", "expire delete"]),
  other: "read_only",
});

export const gitWriters: Readonly<Record<string, Rule>> = {
  ...groups(
    [
      adding,
      "add stage commit mv notes update-index read-tree write-tree commit-tree mktag mktree hash-object pack-refs pack-objects unpack-objects index-pack rerere replace sparse-checkout fast-export multi-pack-index commit-graph init init-db interpret-trailers merge-file mailinfo mailsplit",
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
  apply,
  config: gitConfig,
  "update-ref": updateRef,
  "checkout-index": checkoutIndex,
  "symbolic-ref": (call) => {
    const parsed = parseOptions(call.args, { values: ["-m"] });
    if (hasOption(parsed, "-d", "--delete"))
      call.report("destructive", "git symbolic-ref deletes a reference");
    else if (parsed.rest.length > 1)
      call.report("local_write", "git symbolic-ref moves a reference", undefined, true);
  },
  reflog,
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
