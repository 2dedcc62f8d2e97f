// git's subcommands for branches, tags and other references.
import type { ProgramJudge } from "../../call.ts";
import { hasOption, parseOptions } from "../../options.ts";
import { groups, subcommands, splitWords } from "../build.ts";

export const branch: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, {
    values: splitWords("--sort --format --contains --no-contains --points-at -u --set-upstream-to"),
  });
  if (hasOption(parsed, "-d", "-D", "--delete", "-f", "--force", "-M", "-C"))
    return call.report("destructive", `${call.name} deletes or resets a branch`);
  const known = splitWords(
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
  const changes = hasOption(parsed, "-m", "--move", "-c", "--copy", "-u", "--set-upstream-to", "--unset-upstream");
  if (changes || (parsed.rest.length > 0 && !lists)) call.report("local_write", `${call.name} changes branches`);
};

export const tag: ProgramJudge = (call) => {
  const parsed = parseOptions(call.args, {
    values: splitWords("-m --message -F --file -u --local-user --sort --format --points-at --contains"),
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

export const updateRef: ProgramJudge = (call) =>
  hasOption(parseOptions(call.args, { values: ["-m"] }), "-d", "--stdin")
    ? call.report("destructive", "git update-ref deletes or rewrites references")
    : call.report("local_write", "git update-ref moves a reference", undefined, true);

export const reflog: ProgramJudge = subcommands({
  table: groups(["read_only", "show exists list"], ["destructive", "expire delete"]),
  other: "read_only",
});
