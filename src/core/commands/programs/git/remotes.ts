// git's subcommands that access or configure other repositories.
import type { ProgramJudge } from "../../call.ts";
import { hasOption, parseOptions } from "../../options.ts";
import { ANY } from "../../lexer/pattern.ts";
import { groups, joinArgs, subcommands } from "../build.ts";

export const push: ProgramJudge = (call) => {
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

export const remoteProgram: ProgramJudge = (call) => {
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
    if (hasOption(parsed, "-c", "--config")) call.report("unknown", "git clone takes settings along", undefined);
    const target = parsed.rest[1];
    if (target) call.write(target);
  }
  call.report("network", `${call.name} talks to another machine`);
};

export const remote: ProgramJudge = subcommands({
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

export const submodule: ProgramJudge = subcommands({
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
