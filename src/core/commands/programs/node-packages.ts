// The package managers of JavaScript: installing, running scripts of the project, publishing.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { type SubcommandRule, each, follow, groups, subcommands, splitWords } from "./build.ts";

const values = splitWords(
  "-C --prefix --dir --cwd --registry --userconfig --globalconfig --cache --workspace --filter --loglevel --tag --otp --script-shell --node-options",
);
const runs = ["--script-shell", "--node-options", "--userconfig", "--globalconfig"];

/** Scripts with such names upload the work. */
const reachesOut = /^(?:[\w-]+:)?(deploy|publish|release)(?![\w-])/i;

/** A script's own text is judged with the change that wrote it; its name must be a name. */
const script: ProgramJudge = (call) => {
  const { rest, options } = parseOptions(call.args, { values, stopEarly: true });
  const bad = options.find(({ name }) => runs.includes(name));
  if (bad) call.report("unknown", `${call.name} ${bad.name} runs a program`, bad.arg);
  const [name] = rest;
  if (!name && call.name.endsWith(" run")) return;
  if (name && !/^[\w:.@/*-]+$/.test(name.text)) return call.report("unknown", "This is not the name of a script", name);
  // Without a script of that name, npm and yarn print the environment.
  if (name?.text === "env") return call.report("credential_sensitive", `${call.name} env shows all variables`, name);
  if (name && reachesOut.test(name.text))
    return call.report("network", `${call.name} ${name.text} sounds like more than a build`, name);
  call.report("local_write", `${call.name} runs a script of the project`);
};
const installing = new Set(splitWords("install i add ci update up upgrade remove rm uninstall link dlx create import"));
const bareScript: ProgramJudge = (call) => {
  const name = call.name.split(" ")[1] ?? "";
  if (!/^[\w:.@/-]+$/.test(name)) return call.report("unknown", "This is not the name of a script");
  // Each manager parses options differently: a later argument that is an installing verb counts.
  const later = call.args.find(({ text }) => installing.has(text));
  if (later) return call.report("dependency_install", `${call.name} ${later.text} installs packages`, later);
  if (name === "env") return call.report("credential_sensitive", `${call.name} shows all variables`);
  if (reachesOut.test(name)) return call.report("network", `${call.name} sounds like more than a build`);
  call.report("local_write", `${call.name} runs a script or a tool of the project`);
};

/** Runs an installed tool; any other tool is downloaded first. */
const fetchAndRun: ProgramJudge = (call) => {
  const { options, rest } = parseOptions(call.args, {
    values: splitWords("-p --package -c --call -w --workspace"),
    stopEarly: true,
  });
  const local = options.some(({ name }) => /^--(no-install|offline)$/.test(name) || name === "--no");
  for (const { name, value } of options) if (value && (name === "-c" || name === "--call")) call.code(value);
  const loads = call.args.find(({ text }) => text.startsWith("--node-options"));
  if (loads) call.report("unknown", `${call.name} ${loads.text} can run a program`, loads);
  const named = options.some(({ name }) => !/^(-q|--quiet|-s|--silent|-y|--yes)$/.test(name));
  const isThere = !named && rest[0] !== undefined && call.isInstalled(rest[0].text);
  if (!local && !isThere) return call.report("dependency_install", `${call.name} fetches a package and runs it`);
  localTool(call, rest);
};

const localTool = (call: CommandCall, rest: CommandCall["args"]): void => {
  const [tool] = rest;
  if (!tool) return call.report("unknown", `${call.name} opens a shell`);
  call.run(rest);
};

const execLocal: ProgramJudge = (call) => {
  const { options, rest } = parseOptions(call.args, {
    values: splitWords("-C --dir --filter"),
    stopEarly: true,
  });
  for (const { name, arg } of options)
    if (name === "-c" || name === "--shell-mode") call.report("unknown", "A shell reads the command", arg);
  localTool(call, rest);
};

const config: SubcommandRule = subcommands({
  table: groups(
    [
      (call) => call.report("local_write", `${call.name} changes settings`, undefined, true),
      "set delete rm edit fix add unset",
    ],
    [
      (call) => {
        if (call.args.some(({ text }) => /auth|token|password|cert|key/i.test(text)))
          call.report("credential_sensitive", "This setting can hold a token");
      },
      "get",
    ],
    ["credential_sensitive", "list ls"],
  ),
  none: "credential_sensitive",
});

const common = groups(
  [
    "dependency_install",
    "install i add ci update up upgrade remove rm uninstall un unlink link ln dedupe import rebuild rb create",
  ],
  [script, "run run-script"],
  ["local_write", "test t start stop restart build version pack"],
  ["read_only", "ls list ll la why root bin prefix help licenses"],
  [
    "network",
    "view info show search outdated publish audit owner whoami ping deprecate dist-tag access team org star stars stage hook profile fund diff docs repo bugs home",
  ],
  ["credential_sensitive", "login logout adduser add-user token"],
);

/** A script or an entry that is set here can run later. */
const packageSettings: ProgramJudge = (call) => {
  const later = call.args.find(({ text }) =>
    /^(scripts|bin|main|exports|imports|type|workspaces|overrides|dependencies|devDependencies)\b/.test(text),
  );
  if (later) return call.report("local_write", `${call.name} changes what runs later`, later, true);
  call.report("local_write", `${call.name} writes package.json`);
};

const audit: ProgramJudge = (call) =>
  call.args.some(({ text }) => text === "fix" || text === "--fix")
    ? call.report("dependency_install", "Changes the installed packages")
    : call.report("network", `${call.name} asks the registry`);

const npm = subcommands({
  values: [...values, "-w"],
  runs,
  table: {
    ...common,
    ...groups(
      [
        "dependency_install",
        "in ins inst insta instal isnt isnta isntal isntall install-test it cit install-ci-test clean-install ic install-clean isntall-clean install-scripts udpate r ddp innit find-dupes edit prune",
      ],
      [script, "rum urn"],
      ["local_write", "tst shrinkwrap sbom"],
      [fetchAndRun, "exec x"],
      ["read_only", "explain query completion help-search"],
      ["network", "v doctor stars issues author"],
      ["destructive", "unpublish cache"],
      ["unknown", "explore"],
    ),
    audit,
    init: (call) =>
      call.args.some(({ text }) => !text.startsWith("-"))
        ? follow("dependency_install", call)
        : follow("local_write", call),
    config,
    c: config,
    set: (call) => call.report("local_write", "npm set changes settings", undefined, true),
    get: "credential_sensitive",
    "set-script": (call) => call.report("local_write", "npm set-script changes what runs later", undefined, true),
    pkg: subcommands({ table: groups(["read_only", "get"], [packageSettings, "set delete fix"]) }),
    version: (call) => (call.args.length > 0 ? follow("local_write", call) : follow("read_only", call)),
  },
});

const pnpm = subcommands({
  values: [...values, "-F"],
  runs,
  table: {
    ...common,
    ...groups(
      ["dependency_install", "dlx fetch env self-update setup deploy patch patch-commit patch-remove approve-builds"],
      [execLocal, "exec"],
      ["destructive", "prune store"],
      ["local_write", "init"],
      ["credential_sensitive", "server_"],
    ),
    audit,
    config,
    c: config,
  },
  other: bareScript,
});

const yarn = subcommands({
  values,
  runs,
  none: "dependency_install",
  table: {
    ...common,
    ...groups(
      ["dependency_install", "dlx global set plugin upgrade-interactive autoclean generate-lock-entry policies"],
      [execLocal, "exec"],
      ["local_write", "init constraints stage"],
      ["network", "npm"],
      ["read_only", "versions"],
    ),
    audit,
    config,
    node: (call) => call.run([{ text: "node", span: call.span }, ...call.args]),
    workspace: (call) => call.run([{ text: "yarn", span: call.span }, ...call.args.slice(1)]),
    workspaces: (call) => {
      if (/^(list|info)$/.test(call.args[0]?.text ?? "")) return follow("read_only", call);
      const at = call.args.findIndex(({ text }) => text === "run");
      return at < 0 ? follow("dependency_install", call) : script({ ...call, args: call.args.slice(at + 1) });
    },
  },
  other: bareScript,
});

const bun = subcommands({
  values,
  table: groups(
    ["dependency_install", "install i add a remove rm update up upgrade link unlink create c init patch"],
    [fetchAndRun, "x"],
    [script, "run"],
    ["local_write", "test build"],
    ["read_only", "pm why"],
    ["network", "publish outdated audit info"],
    ["unknown", "repl exec"],
  ),
});

const workspaceTool = subcommands({
  table: groups(
    [script, "run run-many affected test build lint"],
    ["dependency_install", "bootstrap install update add migrate init create generate"],
    ["network", "publish login link"],
    ["read_only", "ls list graph show report"],
  ),
  other: "local_write",
});

/** `lerna exec -- COMMAND` runs the command in every package. */
function runsInPackages(call: CommandCall): void {
  const at = call.args.findIndex(({ text }) => text === "--");
  const command = call.args.slice(at + 1);
  if (at < 0 || command.length === 0)
    return call.report("unknown", `${call.name} exec runs a command in other folders`);
  call.run(command);
}

export const nodePackages: ProgramJudges = {
  npm,
  pnpm,
  yarn: (call) => (call.args.length === 1 && call.args[0]?.text === "-v" ? undefined : yarn(call)),
  bun,
  ...each("npx bunx", fetchAndRun),
  ...each("nx turbo lerna rush", (call) =>
    call.args.some(({ text }) => /^(exec|x)$/.test(text)) ? runsInPackages(call) : workspaceTool(call),
  ),
};
