// The git commands that this program uses and the flags of each. Anything that is not in this table is refused.

interface Allowed {
  /** Flags passed as they are. A trailing `=` allows any value after it. */
  readonly flags: readonly string[];
  /** Flags the door adds itself, right after the command. */
  readonly always?: readonly string[];
  /** Connects to another machine: needs `network` of the caller. */
  readonly network?: boolean;
  /** Words allowed right after the command (`worktree add`). */
  readonly verbs?: readonly string[];
}

const words = (text: string): string[] => text.split(/\s+/);

const quietDiff = words("--no-ext-diff --no-textconv --no-color --ignore-submodules=dirty");
const diffFlags = words(
  `-z -r -t -p -R -q --quiet --raw --patch --cached --binary --full-index --root --name-only
    --name-status --numstat --shortstat --stat --summary --exit-code --no-renames --no-commit-id
    --find-renames --find-renames= --diff-filter= --unified= --abbrev= --no-abbrev
    --ignore-submodules=all --ignore-submodules=dirty --submodule=short --no-prefix --src-prefix=
    --dst-prefix= --merge-base --text --diff-algorithm= --no-indent-heuristic --inter-hunk-context=
    --ignore-submodules=none`,
);
const logFlags = [
  ...diffFlags,
  ...words(
    `-1 --not --remotes= --format= --max-count= --skip= --since= --until= --all --no-merges --first-parent --reverse
    --date= --no-walk=unsorted --no-patch --no-decorate --no-show-signature --no-notes --end-of-options`,
  ),
];

const commandTable: Readonly<Record<string, Allowed>> = {
  add: {
    flags: words(
      "-A --all --intent-to-add --ignore-errors --chmod= --no-warn-embedded-repo --pathspec-from-file=- --pathspec-file-nul",
    ),
  },
  apply: {
    flags: words(
      `--check --cached --index --numstat --summary --stat --apply -z -R --reverse -p1 --binary
    --unidiff-zero --verbose -v --allow-empty --whitespace=nowarn -`,
    ),
  },
  "cat-file": {
    flags: words("-e -t -s -p --batch --batch-check --batch-check= --batch= --buffer -z"),
  },
  "check-attr": { flags: words("-z -a --all --stdin --cached") },
  "check-ignore": { flags: words("-z -q -v -n --stdin --no-index --verbose --non-matching") },
  "check-ref-format": { flags: ["--branch", "--normalize"] },
  "checkout-index": { flags: words("-z --stdin --prefix= -q --temp --index -u") },
  commit: {
    flags: words("-F - --file= --message= --allow-empty --quiet --no-edit --cleanup= --only"),
    always: words("--no-verify --no-gpg-sign --no-status --no-post-rewrite"),
  },
  "commit-tree": { flags: words("-p -F - -m"), always: ["--no-gpg-sign"] },
  "count-objects": { flags: ["-v"] },
  diff: { flags: diffFlags, always: quietDiff },
  "diff-files": { flags: diffFlags, always: quietDiff },
  "diff-index": { flags: diffFlags, always: quietDiff },
  "diff-tree": { flags: diffFlags, always: words("--no-ext-diff --no-textconv --no-color") },
  bundle: { flags: ["--quiet", "-"], verbs: ["create"] },
  fetch: {
    flags: ["--quiet", "--upload-pack=", "--end-of-options"],
    always: words("--no-tags --no-write-fetch-head --no-recurse-submodules --no-auto-maintenance"),
    network: true,
  },
  "for-each-ref": { flags: words("--format= --count= --sort= --points-at= --contains=") },
  "hash-object": {
    flags: words("-w -t --stdin --stdin-paths --no-filters --path= --literally"),
  },
  log: { flags: logFlags, always: words("--no-ext-diff --no-textconv --no-color --no-show-signature") },
  "ls-files": {
    flags: words(
      `-z -s -o -i -m -d -c -t -v -u --cached --others --ignored --modified --deleted --stage
    --unmerged --exclude-standard --exclude-from= --directory --no-empty-directory --full-name --error-unmatch --eol`,
    ),
  },
  "ls-remote": { flags: ["--quiet", "--upload-pack=", "--end-of-options"], network: true },
  "ls-tree": { flags: words("-z -r -t -d -l --long --full-tree --full-name --name-only") },
  "merge-base": { flags: ["--is-ancestor", "--all"] },
  "merge-tree": { flags: words("--write-tree -z --name-only --no-messages") },
  "patch-id": { flags: ["--stable"] },
  "pack-refs": { flags: ["--all"] },
  push: {
    flags: words("--porcelain --no-progress --quiet --dry-run --atomic --receive-pack="),
    always: words("--no-verify --no-signed --no-recurse-submodules --no-follow-tags"),
    network: true,
  },
  "read-tree": {
    flags: words("--empty -m -u -i --reset --prefix="),
    always: ["--no-recurse-submodules"],
  },
  "pack-objects": { flags: ["--revs", "--quiet"] },
  "rev-list": {
    flags: words(
      `--count --max-count= --all --objects --parents --first-parent --not --reverse --left-right
    --branches --tags -1`,
    ),
  },
  "rev-parse": {
    flags: words(
      `--verify --quiet -q --short --symbolic-full-name --abbrev-ref --show-object-format
    --end-of-options`,
    ),
  },
  show: { flags: logFlags, always: words("--no-ext-diff --no-textconv --no-color --no-show-signature") },
  "show-ref": { flags: words("--verify --quiet -q --hash -s --heads --tags -d") },
  stash: { verbs: ["drop", "store"], flags: ["-m"] },
  status: {
    flags: words(
      `-z --porcelain --porcelain=v1 --porcelain=v2 --branch --untracked-files=all --untracked-files=no
    --untracked-files=normal --ignored --ignored=matching --ignored=traditional --no-renames`,
    ),
    always: ["--ignore-submodules=dirty", "--no-renames"],
  },
  "symbolic-ref": { flags: words("-q --quiet --short") },
  "update-index": {
    flags: words(
      `-z --add --remove --stdin --index-info --refresh --really-refresh -q --cacheinfo --force-remove --assume-unchanged
    --unmerged`,
    ),
  },
  "unpack-objects": { flags: ["-q"] },
  "update-ref": { flags: words("-d --stdin -z --no-deref --create-reflog -m") },
  "verify-pack": { flags: ["-v"] },
  worktree: {
    verbs: words("add list prune lock unlock repair"),
    flags: words(
      `--detach --no-checkout --checkout --porcelain -z --expire= --verbose -v -q --quiet
    --no-guess-remote --reason=`,
    ),
  },
  version: { flags: ["--build-options"] },
  "write-tree": { flags: ["--missing-ok"] },
};

/**
 * Commands that start a `git status` of their own in every populated submodule, whatever their flags. It inherits our
 * overrides, so these must cover the drivers that the submodules' own configurations name.
 */
export const entersSubmodules = (command: string | undefined) => command === "add" || command === "commit";

/** The argv after `git`, or a fault: a flag that is not in the table is a bug of the caller, never a user's input. */
export function spellGit(args: readonly string[], network: boolean): string[] {
  const [command, ...rest] = args;
  const allowed = command === undefined ? undefined : commandTable[command];
  if (command === undefined || !allowed) throw new TypeError(`git ${command ?? ""} is not a command of ours`);
  if (allowed.network === true && !network) throw new TypeError(`git ${command} needs the network to be allowed`);
  const verb = allowed.verbs ? rest.shift() : undefined;
  if (allowed.verbs && (verb === undefined || !allowed.verbs.includes(verb)))
    throw new TypeError(`git ${command} ${verb ?? ""} is not a command of ours`);
  checkFlags(command, rest, allowed.flags);
  return [command, ...(verb === undefined ? [] : [verb]), ...(allowed.always ?? []), ...rest];
}

function checkFlags(command: string, rest: readonly string[], flags: readonly string[]): void {
  for (const arg of rest) {
    if (arg.includes("\0")) throw new TypeError(`git ${command}: an argument holds NUL`);
    if (arg === "--") return;
    if (!arg.startsWith("-")) continue;
    const known = flags.some((flag) => arg === flag || (flag.endsWith("=") && arg.startsWith(flag)));
    if (!known) throw new TypeError(`git ${command} ${arg} is not a flag of ours; see commands.ts`);
  }
}
