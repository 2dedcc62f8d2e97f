// Package managers of other languages and of systems.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import {
  type SubcommandRule,
  cleaning,
  each,
  follow,
  groups,
  runningOwn,
  runsRest,
  subcommands,
  splitWords,
} from "./build.ts";

const uv: ProgramJudge = subcommands({
  values: splitWords("--directory --project --config-file --cache-dir --python -p"),
  table: {
    ...groups(
      ["dependency_install", "add remove sync lock tool self python init build"],
      ["local_write", "venv cache"],
      ["network", "publish"],
      ["read_only", "tree version export"],
      [
        (call: CommandCall) => {
          const adds = call.args.some(({ text }) => /^--(with|refresh|reinstall|upgrade)/.test(text));
          if (adds || !(call.where === "worktree" || call.args.some(({ text }) => text === "--no-sync")))
            call.report("dependency_install", "uv run installs what is missing first");
          runsRest("--with -p --python --group --extra -m --env-file")(call);
        },
        "run",
      ],
    ),
    pip: (call: CommandCall) => call.run([{ text: "pip", span: call.span }, ...call.args]),
  },
});

const cargo = subcommands({
  values: splitWords("--manifest-path --config -Z --color -C"),
  table: groups(
    ["dependency_install", "install uninstall add remove rm update fetch vendor generate-lockfile binstall"],
    [
      "local_write",
      "build b check c test t bench doc d fmt clippy fix init new nextest package expand llvm-cov tarpaulin hack udeps machete rustc rustdoc insta mutants fuzz geiger bloat semver-checks sort spellcheck about asm show-asm",
    ],
    ["read_only", "tree metadata version help locate-project verify-project pkgid read-manifest"],
    ["network", "search info publish yank owner"],
    ["credential_sensitive", "login logout"],
    [cleaning, "clean"],
    [runningOwn, "run r"],
    ["unknown", "script"],
    [
      (call) => follow(call.args.some(({ text }) => text === "--offline") ? "local_write" : "network", call),
      "deny audit outdated",
    ],
    [(call) => follow(/^test$/.test(call.args[0]?.text ?? "") ? "local_write" : "unknown", call), "miri"],
  ),
});

const goModules: SubcommandRule = subcommands({
  table: groups(
    ["dependency_install", "download tidy vendor get"],
    ["read_only", "graph why verify"],
    ["local_write", "init edit"],
  ),
});
/** With an option it deletes the caches of all projects. */
const goClean: ProgramJudge = (call) =>
  call.args.length === 1 && /^--?testcache$/.test(call.args[0]?.text ?? "")
    ? call.report("local_write", "go clean -testcache forgets results of tests")
    : goCleanCaches(call);
const goCleanCaches: ProgramJudge = (call) =>
  call.args.some(({ text }) => /^--?\w*cache$/.test(text)) ? follow("destructive", call) : cleaning(call);
const goRun: ProgramJudge = (call) =>
  call.args.some(({ text }) => /@|^\w[\w-]*\.\w+\//.test(text)) ? follow("dependency_install", call) : runningOwn(call);
const go = subcommands({
  values: ["-C"],
  table: {
    ...groups(
      ["dependency_install", "get install"],
      ["local_write", "build test vet fmt fix work bug"],
      ["read_only", "list doc version help"],
      [goClean, "clean"],
      [goRun, "run"],
      [runningOwn, "generate"],
    ),
    mod: goModules,
    tool: (call: CommandCall) =>
      /^(cover|nm|objdump|pprof|trace|buildid|dist|addr2line|vet)$/.test(call.args[0]?.text ?? "")
        ? call.report("local_write", `${call.name} looks at what was built`)
        : call.report("unknown", `${call.name} can run anything`),
    env: (call: CommandCall) =>
      call.args.some(({ text }) => /^-[wu]/.test(text))
        ? call.report("local_write", "go env -w changes settings", undefined, true)
        : call.report("read_only", "go env only reads"),
  },
});

/** pacman and similar programs select the action by a letter. */
const letters: ProgramJudge = (call) => {
  const [flags] = call.args;
  const text = flags?.text ?? "";
  if (/^-Q|^-F(?!y)|^-T|^-S[sigl]/.test(text)) return;
  if (/^-R|^-D/.test(text)) return call.report("destructive", `${call.name} removes packages`);
  call.report("dependency_install", `${call.name} installs packages`);
};

const dpkg: ProgramJudge = (call) => {
  const text = call.args[0]?.text ?? "";
  if (
    /^(-[lsLSpWICcfexX]|--(list|status|listfiles|search|print|show|info|contents|get|compare|verify|audit|version)\S*)$/.test(
      text,
    ) &&
    !/^-[xX]/.test(text)
  )
    return;
  if (/^(-r|-P|--remove|--purge|-e)/.test(text) && call.name !== "rpm")
    return call.report("destructive", `${call.name} removes packages`);
  if (call.name === "rpm") {
    if (/^-q|^-V|^--query|^--verify/.test(text)) return;
    if (/^-e|^--erase/.test(text)) return call.report("destructive", "rpm removes packages");
  }
  call.report("dependency_install", `${call.name} installs packages`);
};

export const otherPackages: ProgramJudges = {
  ...each("easy_install pipx uvx", (call) => {
    if (call.name === "pipx" && call.args[0]?.text === "list") return;
    call.report("dependency_install", `${call.name} fetches and runs packages`);
  }),
  uv,
  cargo: (call) => {
    // `cargo +nightly build`
    const [first, ...rest] = call.args;
    cargo(first?.text.startsWith("+") ? { ...call, args: rest } : call);
  },
  go,
  ...each("pacman yay", letters),
  ...each("dpkg rpm", dpkg),
  ...each("mvn mvnw gradle gradlew sbt ant lein", (call) => {
    const goals = call.args.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
    if (goals.some((goal) => /deploy|publish|release|upload/i.test(goal)))
      return call.report("network", `${call.name} publishes`);
    const fetches = call.args.find(({ text }) =>
      /^(--refresh-dependencies|-U|--update-snapshots|--recompile-scripts)$/.test(text),
    );
    if (fetches)
      return call.report("dependency_install", `${call.name} ${fetches.text} fetches packages anew`, fetches);
    const offline = call.args.some(({ text }) => /^(-o|--offline)$/.test(text));
    if (offline && goals.every((goal) => /^dependency:(tree|list|analyze)$/.test(goal)))
      return call.report("local_write", `${call.name} looks at the packages it has`);
    if (goals.some((goal) => /^(install|deps$|dependency:|wrapper|versions:|archetype:|init|update$)/.test(goal)))
      return call.report("dependency_install", `${call.name} fetches or installs packages`);
    if (
      goals.some((goal) => /(^|:)(run|exec|bootRun|runIde|repl|console)$|\brunMain\b|exec:|spring-boot:run/i.test(goal))
    )
      return call.report("unknown", `${call.name} runs a program of unknown content`);
    if (goals.some((goal) => goal.startsWith("clean")) && goals.length === 1) return cleaning(call);
    call.report("local_write", `${call.name} builds or tests the project`);
  }),
  ...each("pre-commit husky", (call) => {
    if (/^(install|add|set|uninstall|autoupdate|init)$/.test(call.args[0]?.text ?? ""))
      return call.report("local_write", `${call.name} changes git hooks`, undefined, true);
    const isRun = /^(run|validate-config)$/.test(call.args[0]?.text ?? "run");
    if (call.where === "worktree" && isRun && !call.args.some(({ text }) => call.isAway(text.replace(/^[^=]*=/, ""))))
      return void call.runsOwnCode(`${call.name} runs the hooks of the project`);
    call.report("dependency_install", `${call.name} fetches and runs hooks`);
  }),
};
