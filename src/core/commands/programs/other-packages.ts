// Package managers of other languages and of systems.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { parseOptions } from "../options.ts";
import { type SubcommandRule, each, follow, groups, subcommands, splitWords } from "./build.ts";

/** `poetry run X` is X. */
const runs =
  (valueOptions = ""): ProgramJudge =>
  (call: CommandCall) => {
    const { rest } = parseOptions(call.args, { values: splitWords(valueOptions), stopEarly: true });
    if (rest.length > 0) call.run(rest);
    else call.report("unknown", `${call.name} opens a shell`);
  };

/** With the word `list` it only lists; otherwise the given class. */
const lists =
  (otherwise: SubcommandRule): ProgramJudge =>
  (call) =>
    follow(/^(list|info|ls)$/.test(call.args[0]?.text ?? "") ? "read_only" : otherwise, call);

const pip = subcommands({
  values: splitWords("--python --log --proxy --retries --timeout --index-url -i --cache-dir"),
  table: groups(
    ["dependency_install", "install uninstall download wheel sync compile"],
    ["read_only", "list show freeze check inspect help debug hash completion"],
    ["network", "index search"],
    ["local_write", "cache"],
    ["credential_sensitive", "config"],
  ),
});

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
          if (adds || !call.args.some(({ text }) => text === "--no-sync"))
            call.report("dependency_install", "uv run installs what is missing first");
          runs("--with -p --python --group --extra -m --env-file")(call);
        },
        "run",
      ],
    ),
    pip,
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
    ["destructive", "clean"],
    ["unknown", "run r script"],
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
const go = subcommands({
  values: ["-C"],
  table: {
    ...groups(
      ["dependency_install", "get install"],
      ["local_write", "build test vet fmt fix work bug"],
      ["read_only", "list doc version help"],
      ["destructive", "clean"],
      ["unknown", "run generate"],
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

const system = (extra: readonly (readonly [SubcommandRule, string])[] = []) =>
  subcommands({
    values: splitWords(
      "-o --option -c --config-file -t --target-release --enablerepo --disablerepo --installroot",
    ),
    table: groups(
      [
        "dependency_install",
        "install reinstall update upgrade dist-upgrade full-upgrade build-dep source download add in up dup localinstall group groupinstall satisfy tap bundle cask link switch fetch builddep distro-sync refresh makecache addrepo ar mark edit-sources import use pin unpin",
      ],
      [
        "destructive",
        "remove purge autoremove autopurge clean autoclean del erase uninstall rm unlink untap cleanup zap downgrade",
      ],
      [
        "read_only",
        "list show search policy depends rdepends info changelog madison files provides repolist whatprovides history leaves deps config doctor outdated formulae casks desc cat home log uses --prefix --cellar --repository shellenv commands which why query lr se if wp stats pkgnames dump",
      ],
      ["network", "check-update check updateinfo"],
      ["unknown", "shell create edit exec sh run services svc start stop restart"],
      ...extra,
    ),
  });

/** pacman and its kin speak in letters. */
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

const poetryLike = (extra: readonly (readonly [SubcommandRule, string])[] = []) =>
  subcommands({
    values: splitWords("-C --directory -P --project"),
    table: groups(
      ["dependency_install", "add install update remove lock sync self uninstall upgrade use pip"],
      ["read_only", "show check version list graph info about"],
      ["local_write", "init new build version export fmt lint test"],
      ["network", "publish search"],
      ["credential_sensitive", "config"],
      [runs(), "run"],
      ["unknown", "shell scripts"],
      [lists("unknown"), "env"],
      ["destructive", "--rm clean cache"],
      ...extra,
    ),
  });

export const otherPackages: ProgramJudges = {
  ...each("pip pip2 pip3 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14", pip),
  ...each("easy_install pipx uvx", (call) => {
    if (call.name === "pipx" && call.args[0]?.text === "list") return;
    call.report("dependency_install", `${call.name} fetches and runs packages`);
  }),
  uv,
  ...each("poetry pdm pipenv hatch rye flit", poetryLike()),
  ...each(
    "conda mamba micromamba",
    subcommands({
      table: groups(
        ["dependency_install", "install create update upgrade env remove uninstall init build"],
        ["read_only", "list info"],
        ["network", "search"],
        ["credential_sensitive", "config"],
        ["destructive", "clean"],
        [runs("-n --name -p --prefix --cwd"), "run"],
        ["unknown", "activate deactivate shell"],
      ),
    }),
  ),
  cargo: (call) => {
    // `cargo +nightly build`
    const [first, ...rest] = call.args;
    cargo(first?.text.startsWith("+") ? { ...call, args: rest } : call);
  },
  rustup: subcommands({
    table: groups(
      ["read_only", "show which doc help"],
      [lists("dependency_install"), "toolchain target component override"],
      ["dependency_install", "install update default self"],
      [runs(), "run"],
    ),
  }),
  go,
  gem: subcommands({
    table: groups(
      ["dependency_install", "install update uninstall fetch unpack pristine"],
      ["read_only", "list environment env contents dependency which help specification info"],
      ["network", "search push yank owner outdated"],
      ["credential_sensitive", "signin signout"],
      ["local_write", "build"],
      ["unknown", "exec"],
    ),
  }),
  ...each(
    "bundle bundler",
    subcommands({
      none: "dependency_install",
      table: groups(
        ["dependency_install", "install update add remove lock cache package binstubs init"],
        ["read_only", "list show info check outdated version env licenses"],
        ["credential_sensitive", "config"],
        ["destructive", "clean"],
        ["unknown", "console open gem"],
        [runs(), "exec"],
      ),
    }),
  ),
  composer: subcommands({
    values: splitWords("-d --working-dir"),
    table: groups(
      [
        "dependency_install",
        "install i update u require remove create-project global self-update selfupdate upgrade reinstall bump",
      ],
      ["read_only", "show licenses validate why depends prohibits why-not about check-platform-reqs status"],
      ["local_write", "run-script run test dump-autoload dumpautoload init archive"],
      ["network", "search outdated audit browse home diagnose"],
      ["credential_sensitive", "config"],
      ["destructive", "clear-cache clearcache"],
      ["unknown", "exec"],
    ),
  }),
  ...each(
    "apt apt-get aptitude apt-cache apt-mark dnf yum microdnf tdnf zypper apk brew port snap flatpak pkg xbps-install xbps-remove eopkg urpmi nala guix emerge choco winget scoop pkgin opkg swupd rpm-ostree",
    system(),
  ),
  ...each("pacman yay paru pamac", letters),
  ...each("dpkg rpm", dpkg),
  ...each("apt-key add-apt-repository update-alternatives alternatives apt-add-repository", (call) =>
    call.report("dependency_install", `${call.name} changes where packages come from`),
  ),
  ...each("nix nix-env nix-shell nix-build nix-channel nixos-rebuild home-manager devbox pkgx", (call) =>
    call.report("dependency_install", `${call.name} fetches packages`),
  ),
  ...each("mvn mvnw gradle gradlew sbt ant lein mill", (call) => {
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
    if (
      goals.some((goal) =>
        /^(install|deps$|dependency:|wrapper|versions:|archetype:|init|update$)/.test(goal),
      )
    )
      return call.report("dependency_install", `${call.name} fetches or installs packages`);
    if (
      goals.some((goal) =>
        /(^|:)(run|exec|bootRun|runIde|repl|console)$|\brunMain\b|exec:|spring-boot:run/i.test(goal),
      )
    )
      return call.report("unknown", `${call.name} runs a program of unknown content`);
    if (goals.some((goal) => goal.startsWith("clean")) && goals.length === 1)
      return call.report("destructive", `${call.name} deletes what was built`);
    call.report("local_write", `${call.name} builds or tests the project`);
  }),
  ...each(
    "dotnet nuget swift flutter dart mix rebar3 cabal stack opam pod carthage vcpkg conan luarocks cpan cpanm raku zef nimble shards dub helm-docs ansible-galaxy",
    subcommands({
      table: groups(
        [
          "dependency_install",
          "install add restore get deps update upgrade pub global remove uninstall package tool workload fetch resolve lock sync download create role collection hex local deps.get deps.update deps.compile local.hex archive.install",
        ],
        [
          "local_write",
          "build test format analyze compile lint fmt check pack new init archive doc docs credo dialyzer eunit ct proper xref edoc",
        ],
        ["network", "publish push search info outdated"],
        ["read_only", "list --info --list-sdks --version version tree show"],
        ["unknown", "run exec repl watch shell"],
        [lists("unknown"), "sln switch reference"],
        [
          (call) =>
            follow(call.args.some(({ text }) => text === "--dry-run") ? "read_only" : "local_write", call),
          "fix",
        ],
        ["destructive", "clean"],
      ),
      other: (call: CommandCall) =>
        call.report(
          /^(cpan|cpanm)/.test(call.name) ? "dependency_install" : "unknown",
          `${call.name} is not known`,
        ),
    }),
  ),
  ...each("pre-commit lefthook husky", (call) => {
    if (/^(install|add|set|uninstall|autoupdate|init)$/.test(call.args[0]?.text ?? ""))
      return call.report("local_write", `${call.name} changes git hooks`, undefined, true);
    call.report("dependency_install", `${call.name} fetches and runs hooks`);
  }),
};
