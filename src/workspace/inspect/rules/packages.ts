// Files that package managers and build tools run before the project's own code is asked for.
import { isRecord } from "../../../core/contract/index.ts";
import { shown, type ReportFinding } from "../finding.ts";
import { field, presence, readJsonFile, readLines, type FileRule } from "./file-rule.ts";

const install = "Install without scripts (for npm: --ignore-scripts), or read them first.";
const lifecycle = [
  "preinstall",
  "install",
  "postinstall",
  "preprepare",
  "prepare",
  "postprepare",
  "prepublish",
  "dependencies",
  "pnpm:devPreinstall",
];

function reportPackage(text: string, report: ReportFinding): void {
  const value = readJsonFile(text);
  const scripts = field(value, "scripts");
  for (const name of lifecycle) {
    const script = field(scripts, name);
    if (typeof script === "string")
      report({
        kind: "package_script",
        severity: "medium",
        what: `${name}: ${shown(script)}`,
        why: "run by installing the packages",
        remedy: install,
      });
  }
  for (const name of ["simple-git-hooks", "husky", "gitHooks", "pre-commit", "lint-staged"])
    if (name !== "lint-staged" && field(value, name) !== undefined)
      report({
        kind: "hook_manager",
        severity: "medium",
        what: `${name}: ${shown(field(value, name))}`,
        why: "becomes a git hook when the packages are installed",
        remedy: install,
      });
  const manager = field(value, "packageManager");
  if (typeof manager === "string" && /https?:|\//.test(manager))
    report({
      kind: "package_config",
      severity: "medium",
      what: `packageManager: ${shown(manager)}`,
      why: "corepack downloads and starts it",
      remedy: install,
    });
  for (const group of ["dependencies", "devDependencies", "optionalDependencies"]) {
    const odd = Object.entries(isRecord(field(value, group)) ? (field(value, group) as object) : {}).filter(
      ([, version]) =>
        typeof version === "string" && /^(https?:|git|ssh|file:\.\.|link:\.\.|[\w-]+\/[\w-]+(#|$))/.test(version),
    );
    if (odd.length > 0)
      report({
        kind: "package_config",
        severity: "low",
        what: `${group} from outside the registry: ${shown(odd.slice(0, 5))}`,
        why: "their install scripts run too, and no registry has seen them",
        remedy: install,
      });
  }
}

const npmKeys =
  /^(script-shell|shell|node-options|git|onload-script|init-module|globalconfig|userconfig|prefix|cafile|proxy|https-proxy|noproxy|viewer|editor|browser|before|registry|.*:registry|strict-ssl|ignore-scripts|node-gyp|python|.*_auth.*|.*_password)$/i;

function reportNpmrc(text: string, report: ReportFinding): void {
  for (const { key, value } of readLines(text)) {
    if (
      !npmKeys.test(key) ||
      (/^(registry)$/i.test(key) && /^"?https:\/\/registry\.(npmjs\.org|yarnpkg\.com)\/?"?$/.test(value))
    )
      continue;
    if (key === "ignore-scripts" && /true/.test(value)) continue;
    const secret = /_auth|_password/i.test(key);
    const runs =
      /^(script-shell|shell|node-options|git|onload-script|init-module|viewer|editor|browser|node-gyp|python)$/i.test(
        key,
      );
    report({
      kind: "package_config",
      severity: runs ? "high" : "medium",
      what: `${shown(key)} = ${secret ? "(a credential)" : shown(value)}`,
      why: runs ? "the package manager starts this program" : "packages, or your credentials, go elsewhere",
      remedy: install,
    });
  }
}

const cargoKeys =
  /^(rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc|linker|runner|credential-provider|token|replace-with|registry)$/;
/** Compiler flags are reported where they can load code. */
const loadingFlags = /\blinker=|plugin|load-pass|codegen-backend|--extern|-Z\s*\w*(?:plugin|llvm)/;

const lines = (
  path: RegExp,
  wanted: (line: { section: string; key: string; value: string }) => boolean,
  severity: "high" | "medium" | "low",
  why: string,
  kind: "package_config" | "package_script" | "build_config" = "package_config",
): FileRule => ({
  path,
  look: (text, report) => {
    for (const line of readLines(text))
      if (wanted(line))
        report({
          kind,
          severity,
          what: `${line.section ? `${shown(line.section)}.` : ""}${shown(line.key)}: ${shown(line.value)}`,
          why,
          remedy: install,
        });
  },
});

/** Files that a test runner or a build tool loads as code or as options, by being there. */
const loadedByTools = (path: RegExp, what: string, why: string): FileRule =>
  presence(path, "build_config", "low", what, why, install);

export const packageRules: readonly FileRule[] = [
  loadedByTools(/(^|\/)conftest\.py$/, "code that pytest loads", "run by pytest before any test"),
  loadedByTools(
    /(^|\/)\.(rspec|mocharc(\.\w+)?|bazelrc)$/,
    "options of a test or build tool",
    "taken over by every call of the tool, with the code they name",
  ),
  loadedByTools(/(^|\/)tools\/bazel$/, "a program that replaces bazel", "started by every `bazel` in this folder"),
  loadedByTools(
    /(^|\/)(Gemfile|gems\.rb)$/,
    "Ruby code that bundler runs",
    "run by every `bundle`, also when an editor opens the folder",
  ),
  loadedByTools(
    /(^|\/)Directory\.(Build|Packages)\.(targets|props)$/i,
    "build steps for every project below",
    "run by every `dotnet` and by editors that load the project",
  ),
  loadedByTools(/(^|\/)nuget\.config$/i, "where packages of .NET come from", "taken over by every restore"),
  {
    path: /(^|\/)(pytest\.ini|\.?mypy\.ini|setup\.cfg|tox\.ini|pyproject\.toml)$/,
    look: (text, report) => {
      const line = text
        .split(/\r?\n/)
        .find((one) => /^\s*(plugins|required_plugins)\s*=|^\s*addopts\s*=.*(\s|"|')-p[ =]?(?!no:)\w/.test(one));
      if (line !== undefined)
        report({
          kind: "build_config",
          severity: "low",
          what: shown(line.trim()),
          why: "the tool loads this code at every call",
          remedy: install,
        });
    },
  },
  { path: /(^|\/)package\.json$/, look: reportPackage },
  { path: /(^|\/)\.npmrc$/, look: reportNpmrc },
  lines(
    /(^|\/)\.yarnrc\.yml$/,
    ({ key, value }) =>
      /^(yarnPath|path|spec|npmRegistryServer|injectEnvironmentFiles|unsafeHttpWhitelist|enableScripts|httpProxy|httpsProxy)$/.test(
        key,
      ) &&
      !/registry\.(yarnpkg|npmjs)/.test(value) &&
      // Scripts that are switched off are a protection.
      !(key === "enableScripts" && /^\s*false\b/.test(value)),
    "high",
    "yarn starts it, or takes its packages from there",
  ),
  {
    path: /(^|\/)\.yarnrc$/,
    look: (text, report) => {
      for (const found of text.matchAll(/^\s*"?(yarn-path|registry|script-shell|--[\w.-]+)"?\s+(.{1,300})$/gm))
        report({
          kind: "package_config",
          severity: found[1] === "registry" ? "medium" : "high",
          what: `${shown(found[1])} ${shown(found[2])}`,
          why: "yarn starts it, or takes its packages from there",
          remedy: install,
        });
    },
  },
  presence(
    /(^|\/)\.pnpmfile\.[cm]?js$/,
    "package_config",
    "high",
    "a pnpm hook file",
    "run by `pnpm install`, also with --ignore-scripts",
    install,
  ),
  lines(
    /(^|\/)pnpm-workspace\.ya?ml$/,
    ({ key }) =>
      /^(pnpmfile|globalPnpmfile|scriptShell|dangerouslyAllowAllBuilds|configDependencies|registry|nodeOptions|shellEmulator|hooks)$/.test(
        key,
      ),
    "medium",
    "pnpm runs or loads it",
  ),
  lines(
    /(^|\/)bunfig\.toml$/,
    ({ section, key }) => /^(preload|registry|shell|define|loader)$/.test(key) || section === "install.scopes",
    "medium",
    "bun runs or loads it",
  ),
  presence(
    /(^|\/)binding\.gyp$/,
    "package_script",
    "medium",
    "a native addon",
    "built by `npm install` although no script says so",
    install,
  ),
  presence(
    /(^|\/)setup\.py$/,
    "package_script",
    "medium",
    "a set-up program",
    "run by `pip install .`, also by `pip download`",
    install,
  ),
  lines(
    /(^|\/)pyproject\.toml$/,
    ({ section, key }) => section === "build-system" && key === "backend-path",
    "medium",
    "the build backend is in the repository and is run by `pip install`",
    "package_script",
  ),
  lines(
    /(^|\/)(pip\.conf|pip\.ini)$/,
    ({ key }) => /index-url|trusted-host|find-links|proxy/.test(key),
    "medium",
    "packages come from elsewhere",
  ),
  {
    path: /(^|\/)composer\.json$/,
    look: (text, report) => {
      for (const [name, script] of Object.entries(
        isRecord(field(readJsonFile(text), "scripts")) ? (field(readJsonFile(text), "scripts") as object) : {},
      ))
        if (/^(pre|post)-/.test(name))
          report({
            kind: "package_script",
            severity: "medium",
            what: `${shown(name)}: ${shown(script)}`,
            why: "run by composer",
            remedy: install,
          });
    },
  },
  lines(
    /(^|\/)\.cargo\/config(\.toml)?$/,
    ({ key, section, value }) =>
      cargoKeys.test(key) ||
      (key === "rustflags" && loadingFlags.test(value)) ||
      /^(env|alias|source|registries)\b/.test(section),
    "high",
    "cargo and rust-analyzer start it, also by merely opening the folder in an editor",
    "build_config",
  ),
  presence(
    /(^|\/)build\.rs$/,
    "build_config",
    "low",
    "a build script",
    "run by `cargo build` and by rust-analyzer when the folder is opened",
    install,
  ),
  lines(
    /(^|\/)rust-toolchain(\.toml)?$/,
    ({ key }) => key === "path",
    "medium",
    "rustup starts compilers from there",
    "build_config",
  ),
  lines(
    /(^|\/)(gradle|maven)-wrapper\.properties$/,
    ({ key, value }) =>
      /Url$/i.test(key) &&
      !/^https\\?:\/\/(services\.gradle\.org|repo\.maven\.apache\.org|repo1\.maven\.org)\//.test(value),
    "high",
    "the wrapper downloads and starts it",
    "build_config",
  ),
  presence(
    /(^|\/)\.mvn\/(extensions\.xml|jvm\.config|maven\.config)$/,
    "build_config",
    "medium",
    "options and extensions for Maven",
    "taken over by every `mvn`, also when an editor imports the project",
    install,
  ),
  lines(
    /(^|\/)\.bazelrc$/,
    ({ key }) => /workspace_status_command|run_under|repo_env|action_env|credential_helper/.test(key),
    "medium",
    "run or taken over by bazel",
    "build_config",
  ),
  presence(
    /(^|\/)\.husky\/(?!_\/|\.gitignore$)[^/]+$/,
    "hook_manager",
    "medium",
    "a hook for husky",
    "becomes a git hook when the packages are installed",
    install,
  ),
  presence(
    /(^|\/)\.?(lefthook(-local)?|overcommit|pre-commit-config|pre-commit-hooks)\.(ya?ml|toml|json)$/,
    "hook_manager",
    "medium",
    "hooks for git",
    "become git hooks when their manager is installed",
    install,
  ),
];
