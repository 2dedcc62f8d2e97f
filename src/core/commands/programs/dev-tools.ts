// Compilers, test runners, linters and formatters: they run the project's own code and write its build output.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { hasOption, parseOptions } from "../options.ts";
import { isOpen } from "../lexer/pattern.ts";
import { isOutside } from "../paths/path-class.ts";
import { each, splitWords, works } from "./build.ts";

const output = (call: CommandCall): void => {
  const at = call.args.findIndex(
    ({ text }) => text === "-o" || text === "--outDir" || text === "--out-dir" || text === "-d",
  );
  const target = call.args[at + 1];
  if (at >= 0 && target) call.write(target);
};

const builds: ProgramJudge = (call) => {
  output(call);
  const risky = call.args.find(({ text }) => /^(-run$|-wrapper|-fplugin|-B\S|-specs|--wrapper)/.test(text));
  if (risky) call.report("unknown", `${call.name} ${risky.text} runs a program`, risky);
  works()(call);
};

/** Tools of one language whose first argument selects build, download, publish or run. */
const verbs: ProgramJudge = (call) => {
  const verb = call.args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  if (/^(install|add|update|upgrade|fetch|deps|get|generate-bazel)$/.test(verb))
    return call.report("dependency_install", `${call.name} ${verb} fetches packages`);
  if (/^(publish|deploy|push|upload|serve|start|login|registry|create|verify-contract|send|broadcast)$/.test(verb))
    return call.report("network", `${call.name} ${verb} reaches other machines or serves them`);
  if (
    /^(run|exec|repl|script|shell|eval|r|e)$/.test(verb) ||
    call.args.some(({ text }) => text === "-r" || text === "--run")
  )
    return void call.runsOwnCode(`${call.name} ${verb} runs a program of unknown content`);
  if (/^(clean|expunge)$/.test(verb)) return call.discard(`${call.name} ${verb} deletes what was built`);
  works()(call);
};

const outputs = (call: CommandCall) =>
  call.args.forEach(({ text }, at) => {
    const target = call.args[at + 1];
    if (target && /^(-o|--(output|reports?-dir|data-file|temp-dir(ectory)?))$/.test(text)) call.write(target);
  });

const takesValue = (arg: { text: string } | undefined) =>
  /^--(source|omit|include|rcfile|data-file|concurrency|context)$/.test(arg?.text ?? "");

/** Programs that measure a command while it runs. */
const measuring: ProgramJudge = (call) => {
  outputs(call);
  const { rest } = parseOptions(call.args, {
    values: splitWords(
      "-r --reporter --report-dir --reports-dir -o -x --exclude -n --include -e --extension -t --temp-dir --temp-directory --cwd --lines --branches --functions --statements --src",
    ),
    stopEarly: true,
  });
  if (rest.length > 0 && !/^(report|check-coverage|merge|instrument)$/.test(rest[0]?.text ?? "")) call.run(rest);
  else works()(call);
};

/** Names of targets that do more than build or test. */
const farTarget =
  /(^|[-_:./])(install|uninstall|deploy|publish|release|push|upload|drop|reset|destroy|purge|wipe|nuke)([-_:./]|$)/;

function make(call: CommandCall): void {
  const parsed = parseOptions(call.args, {
    values: ["-C", "--directory", "-f", "--file", "--makefile", "-I", "-o", "-W", "--eval"],
  });
  if (hasOption(parsed, "-p", "--print-data-base"))
    call.report("credential_sensitive", `${call.name} shows all variables, and with them every secret in them`);
  if (hasOption(parsed, "--eval")) call.report("unknown", `${call.name} --eval runs given code`);
  for (const { name, value } of parsed.options) {
    if (!value) continue;
    if (/^(-C|--directory)$/.test(name)) call.moveTo(value.text);
    if (/^(-f|--file|--makefile)$/.test(name) && (/^(\/|~|\.\.|-$)/.test(value.text) || isOpen(value.text)))
      call.report("unknown", `${call.name} runs a file from elsewhere`, value);
  }
  if (isOutside(call.cwd, call.where)) call.report("unknown", `${call.name} runs a file from elsewhere`);
  if (parsed.rest.some(({ text }) => /^(SHELL|MAKE|CC|CXX|MAKEFLAGS|\.SHELLFLAGS)\s*[:+?]?=/.test(text)))
    call.report("unknown", `${call.name} is given another program to use`);
  const installs = parsed.rest.find(
    ({ text }) =>
      /^(install|uninstall|deploy|publish|release)/.test(text) || (!text.includes("=") && farTarget.test(text)),
  );
  const tells = hasOption(parsed, "-n", "--just-print", "--dry-run", "--recon");
  if (installs && !tells)
    call.report("local_write", `${call.name} ${installs.text} reaches beyond the workspace`, installs, true);
  call.report("local_write", `${call.name} runs scripts of the project`);
}

/** Build tools with an `install` target, like make. */
const installing: ProgramJudge = (call) => {
  const word = call.args.find(({ text }) => /^(un)?install\b/.test(text));
  if (word) call.report("local_write", `${call.name} ${word.text} reaches beyond the workspace`, word, true);
  works()(call);
};

export const devTools: ProgramJudges = {
  ...each("c8 nyc", measuring),
  coverage: (call) => {
    const [verb, ...rest] = call.args;
    const at = rest.findIndex(
      ({ text }, index) => text === "-m" || (!text.startsWith("-") && !takesValue(rest[index - 1])),
    );
    outputs(call);
    if (verb?.text === "run" && at >= 0) call.run([{ ...verb, text: "python" }, ...rest.slice(at)]);
    else works()(call);
  },
  ...each("xcodebuild scons meson ninja", installing),
  ...each("gcc g++ cc c++ clang clang++ ld strip as nasm rustc gfortran", builds),
  ...each("ng zig v nim elm buf dune bazel bazelisk", verbs),
  ...each("latex pdflatex latexmk", (call) => {
    const risky = call.args.find(({ text }) => /shell-escape|enable-write18|^-e$|-usepretex|-r$/.test(text));
    if (risky) call.report("unknown", `${call.name} ${risky.text} runs given code`, risky);
    works()(call);
  }),
  pandoc: (call) => {
    const risky = call.args.find(({ text }) => /^(-F|-L|--filter|--lua-filter|--pdf-engine|--defaults|-d)/.test(text));
    if (risky) call.report("unknown", `pandoc ${risky.text} runs a program`, risky);
    if (call.args.some(({ text }) => /^https?:/.test(text))) call.report("network", "pandoc fetches a page");
    builds(call);
  },
  m4: (call) => {
    // Its language can run commands; a file of the project is the project's own code.
    const given = call.args.find(({ text }) => /e?syscmd/.test(text)) ?? call.feed;
    const text = "text" in given ? given.text : "";
    if (/e?syscmd/.test(text)) call.report("unknown", "m4 is given text that runs a command");
    if (call.feed.kind === "file") call.read({ text: call.feed.path, span: call.span });
    works()(call);
  },
  protoc: (call) => {
    const risky = call.args.find(({ text }) => text.startsWith("--plugin"));
    if (risky) call.report("unknown", "protoc runs a plugin", risky);
    works()(call);
  },
  cmake: (call) => {
    const [first, ...rest] = call.args;
    if (first?.text === "-P") return call.report("unknown", "cmake runs a script", first);
    if (first?.text === "-E" && /^(rm|remove|remove_directory|rename)$/.test(rest[0]?.text ?? ""))
      return call.report("destructive", "cmake -E deletes files");
    if (first?.text === "-E" && /^(env|time|chdir)$/.test(rest[0]?.text ?? ""))
      return call.report("unknown", "cmake -E runs a program");
    if (first?.text === "-E" && rest[0]?.text === "environment")
      return call.report("credential_sensitive", "cmake -E shows all variables");
    if (first?.text === "-E") rest.forEach((arg) => call.read(arg));
    if (
      call.args.some(
        ({ text }, at) => text === "--install" || (text === "install" && call.args[at - 1]?.text === "--target"),
      )
    )
      return call.report("local_write", "cmake --install writes outside", undefined, true);
    works()(call);
  },
  ...each("prove busted", (call) => {
    const runs = call.args.find(({ text }) => /^-\w*e|^--exec|^--helper|^-[PM]/.test(text));
    if (runs) call.report("unknown", `${call.name} ${runs.text} runs a program or code`, runs);
    works()(call);
  }),
  ...each("rake just task invoke gulp grunt bb", (call) => {
    const code = call.args.find(({ text }) => /^-[eEpc]$|^--(execute\S*|command|eval)$|^\(/.test(text));
    if (code) call.report("unknown", `${call.name} ${code.text} runs code of the line`, code);
    const target = call.args.find(({ text }) =>
      /drop|destroy|purge|clobber|deploy|publish|release|reset|flush|wipe/i.test(text),
    );
    if (target) return call.report("destructive", `${call.name} ${target.text} sounds like more than a build`, target);
    works()(call);
  }),
  ...each("make gmake", make),
  ...each("hugo jekyll mkdocs", (call) =>
    call.args.some(({ text }) => /^(s|serve|server|watch|deploy|gh-deploy|publish|mod|new|init|--serve|-s)$/.test(text))
      ? call.report("network", `${call.name} serves, sends or fetches`)
      : works()(call),
  ),
};
