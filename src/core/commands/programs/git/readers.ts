// git's reading subcommands with their allowed options. Git accepts abbreviations and has options that run a program or
// write a file, so only listed options are allowed.
import type { Arg, CommandCall, ProgramJudge } from "../../call.ts";
import { parseOptions } from "../../options.ts";
import { credentialIn } from "../../paths/credentials.ts";
import { isOpen, showPattern } from "../../lexer/pattern.ts";
import { splitWords } from "../build.ts";

const diffOptions = splitWords(`
  -p -u --patch -s --no-patch -U --unified --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience
  --histogram --anchored --diff-algorithm --stat --stat-width --stat-name-width --stat-count --compact-summary --numstat --shortstat
  --dirstat -X --cumulative --dirstat-by-file --summary --patch-with-stat -z --name-only --name-status --submodule --color --no-color
  --color-moved --no-color-moved --color-moved-ws --word-diff --word-diff-regex --color-words --no-renames --rename-empty
  --no-rename-empty --check --ws-error-highlight --full-index --binary --abbrev --no-abbrev -B --break-rewrites -M --find-renames -C
  --find-copies --find-copies-harder -D --irreversible-delete -l --diff-filter -S -G --find-object --pickaxe-all --pickaxe-regex -O
  --skip-to --rotate-to -R --relative --no-relative -a --text --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w
  --ignore-all-space --ignore-blank-lines -I --ignore-matching-lines --inter-hunk-context -W --function-context --exit-code --quiet -q
  --no-ext-diff --no-textconv --ignore-submodules --src-prefix --dst-prefix --no-prefix --default-prefix --line-prefix
  --ita-invisible-in-index --ita-visible-in-index --cached --staged --merge-base --no-index -1 -2 -3 -0 --base --ours --theirs -c --cc
  --combined-all-paths --diff-merges --no-diff-merges -m -t -r --root`);
const logOptions = splitWords(`
  -n --max-count --skip --since --after --until --before --since-as-filter --author --committer --grep --grep-reflog --all-match
  --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty --merges
  --no-merges --min-parents --max-parents --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all
  --branches --tags --remotes --glob --exclude --exclude-hidden --reflog --alternate-refs --single-worktree --ignore-missing --bisect
  --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration
  --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path --date-order --author-date-order --topo-order --reverse
  --no-walk --do-walk --pretty --format --abbrev-commit --no-abbrev-commit --oneline --encoding --expand-tabs --no-expand-tabs --notes
  --no-notes --show-notes-by-default --show-notes --standard-notes --no-standard-notes --relative-date --date --parents --children
  --left-right --graph --show-linear-break --no-graph --follow --no-decorate --decorate --decorate-refs --decorate-refs-exclude
  --clear-decorations --source --mailmap --use-mailmap --no-mailmap --full-diff --log-size -L --count --no-show-signature --stat-graph-width`);

interface GitReader {
  readonly options: readonly string[];
  readonly values: readonly string[];
}

const valued = splitWords(
  "-n --max-count --skip --since --after --until --before --author --committer --grep -S -G -L -U -l -O -I --date --format --pretty --diff-filter --sort --contains --no-contains --points-at --exclude --glob -A -B -C -m --max-depth -f --count",
);
const make = (options: readonly string[], values = valued): GitReader => ({
  options,
  values: values.filter((name) => options.includes(name)),
});

/** `-C`, `-M`, `-B` and similar take only a joined value. */
const log = make(
  [...diffOptions, ...logOptions],
  splitWords(
    "-n --max-count --skip --since --after --until --before --author --committer --grep -S -G -L -O -I --diff-filter --exclude --glob",
  ),
);
const diff = make(diffOptions, splitWords("-S -G -O -I --diff-filter"));

const table: Readonly<Record<string, GitReader>> = {
  log,
  show: log,
  whatchanged: log,
  reflog: log,
  "rev-list": make([
    ...logOptions,
    ...splitWords(
      "--objects --objects-edge --timestamp --header --use-bitmap-index --disk-usage --filter --quiet --no-object-names --missing -z",
    ),
  ]),
  shortlog: make(
    [...logOptions, ...splitWords("-n --numbered -s --summary -e --email -w -c --group --committer")],
    splitWords("--since --until --author --group"),
  ),
  diff,
  "diff-tree": make([...diffOptions, ...splitWords("--stdin -v --pretty --no-commit-id --always --format -s")]),
  "diff-index": diff,
  "diff-files": diff,
  "range-diff": diff,
  status: make(
    splitWords(
      // The letters of `-uno`, `-uall` and `-unormal` too.
      "-n -o -a -l -r -m -s --short -b --branch --show-stash --porcelain --long -v --verbose -u --untracked-files --ignore-submodules --ignored -z --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames",
    ),
    [],
  ),
  "ls-files": make(
    splitWords(
      "-z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed --directory --no-empty-directory --eol -x --exclude -X --exclude-from --exclude-per-directory --exclude-standard --error-unmatch --with-tree --full-name --recurse-submodules --abbrev --debug --deduplicate --sparse --format --resolve-undo",
    ),
    splitWords("-x --exclude --exclude-per-directory --with-tree --format"),
  ),
  "ls-tree": make(
    splitWords(
      "-d -r -t -l --long -z --name-only --name-status --object-only --abbrev --full-name --full-tree --format",
    ),
    [],
  ),
  "rev-parse": make(
    splitWords(
      "--verify -q --quiet --short --abbrev-ref --symbolic --symbolic-full-name --all --branches --tags --remotes --glob --exclude --git-dir --absolute-git-dir --git-common-dir --show-toplevel --show-superproject-working-tree --show-prefix --show-cdup --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-object-format --git-path --resolve-git-dir --path-format --not --sq --revs-only --no-revs --flags --no-flags --default --disambiguate --since --after --until --before --local-env-vars --shared-index-path --end-of-options --prefix",
    ),
    [],
  ),
  blame: make(
    [
      ...diffOptions,
      ...splitWords(
        "-b --root --show-stats -L -l -t -S --reverse --first-parent -p --porcelain --line-porcelain --incremental --encoding -M -C -h --abbrev --date --ignore-rev -f --show-name -n --show-number -s -e --show-email -w --color-lines --color-by-age --progress --no-progress",
      ),
    ],
    splitWords("-L -S --ignore-rev --date"),
  ),
  annotate: make([...diffOptions, ...splitWords("-L -l -t")], ["-L"]),
  grep: make(
    splitWords(
      "-a --text -i --ignore-case -I --max-depth -r --recursive --no-recursive -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color --no-color --break --heading -p --show-function -A --after-context -B --before-context -C --context -W --function-context -m --max-count --threads -e --and --or --not --all-match -q --quiet --cached --untracked --no-index --exclude-standard --no-exclude-standard --recurse-submodules",
    ),
    splitWords("-A --after-context -B --before-context -C --context -m --max-count -e --max-depth --threads"),
  ),
  describe: make(
    splitWords(
      "--dirty --broken --all --tags --contains --abbrev --candidates --exact-match --debug --long --match --exclude --always --first-parent",
    ),
    splitWords("--match --exclude"),
  ),
  "cat-file": make(
    splitWords(
      "-t -s -e -p --allow-unknown-type --batch --batch-check --batch-command --batch-all-objects --buffer --unordered --follow-symlinks -Z",
    ),
    [],
  ),
  "for-each-ref": make(
    splitWords(
      "--count --sort --format --shell --perl --python --tcl --points-at --merged --no-merged --contains --no-contains --ignore-case --omit-empty --exclude --color",
    ),
    splitWords("--count --sort --format --points-at"),
  ),
  "show-ref": make(
    splitWords(
      "--head --heads --branches --tags -d --dereference -s --hash --verify --exists --abbrev -q --quiet --exclude-existing",
    ),
    [],
  ),
  "show-branch": make(
    splitWords(
      "-r --remotes -a --all --current --topo-order --date-order --sparse --more --list --merge-base --independent --no-name --sha1-name --topics -g --reflog --color --no-color",
    ),
    [],
  ),
  "name-rev": make(
    splitWords("--tags --refs --exclude --all --annotate-stdin --stdin --name-only --no-undefined --always"),
    [],
  ),
  "merge-base": make(splitWords("--octopus --independent --is-ancestor --fork-point -a --all"), []),
  "merge-tree": make(
    splitWords("--write-tree --messages --no-messages --name-only --allow-unrelated-histories --merge-base -z --stdin"),
    [],
  ),
  cherry: make(splitWords("-v --abbrev"), []),
  "count-objects": make(splitWords("-v --verbose -H --human-readable"), []),
  "check-ignore": make(splitWords("-q --quiet -v --verbose --stdin -z -n --non-matching --no-index"), []),
  "check-attr": make(splitWords("-a --all --cached --stdin -z --source"), []),
  "check-ref-format": make(splitWords("--normalize --branch --allow-onelevel --refspec-pattern"), []),
  "check-mailmap": make(["--stdin"], []),
  "get-tar-commit-id": make([], []),
  "patch-id": make(splitWords("--stable --unstable --verbatim"), []),
  "verify-pack": make(splitWords("-v --verbose -s --stat-only"), []),
  stripspace: make(splitWords("-s --strip-comments -c --comment-lines"), []),
  column: make(splitWords("--mode --raw-mode --width --indent --nl --padding --command"), []),
  version: make(["--build-options"], []),
  fsck: make(
    splitWords(
      "--full --strict --no-dangling --dangling --unreachable --root --tags --cache --no-reflogs --connectivity-only --verbose --progress --no-progress --name-objects",
    ),
    [],
  ),
  var: make(["-l"], []),
};

/** Arguments of a subcommand: revisions, paths, `commit:path`. */
export function judgeGitArguments(call: CommandCall, rest: readonly Arg[]): void {
  for (const arg of rest) {
    const path = arg.text.includes(":") ? arg.text.slice(arg.text.indexOf(":") + 1) : arg.text;
    const what = credentialIn(path.replace(/^(\([^)]*\)|[!^/])+/, "")) ?? credentialIn(arg.text);
    if (what) call.report("credential_sensitive", `${showPattern(arg.text)} holds ${what}`, arg);
  }
}

/** Undefined for a subcommand that does more than read. */
export function gitReader(name: string): ProgramJudge | undefined {
  if (!Object.hasOwn(table, name)) return undefined;
  const { options, values } = table[name] as GitReader;
  return (call) => {
    const parsed = parseOptions(call.args, { values: [...values, "--output"] });
    for (const option of parsed.options) {
      if (option.name === "--output" || (option.name.length > 4 && "--output".startsWith(option.name)))
        if (option.value) call.write(option.value);
        else call.report("local_write", "git writes a file", option.arg);
      else if (!options.includes(option.name) && !/^-\d$/.test(option.name))
        call.report("unknown", `${call.name} ${option.name} is not an option this judge knows`, option.arg);
    }
    const skip = name === "grep" && !parsed.options.some((option) => option.name === "-e") ? 1 : 0;
    judgeGitArguments(call, parsed.rest.slice(skip));
    const open = parsed.open && !parsed.rest.slice(0, skip).includes(parsed.open) ? parsed.open : undefined;
    if (open && isOpen(open.text)) call.report("unknown", "A word could be an option that writes or runs", open);
  };
}
