// Programs and packages that checks need and this machine does not have, found before any model is paid.
import { promises } from "node:fs";
import { join } from "node:path";
import { type CheckSpec, type CommandRunner, isRecord } from "../../core/contract/index.ts";
import type { Repository } from "../../platform/git/index.ts";
import { parseJsonFile, type TreeFiles, scriptOf } from "./tree.ts";

export interface Missing {
  /** `pnpm is not installed`, `the packages of package.json are not installed`. */
  readonly what: string;
  readonly remedy: string;
}

interface NeedsDeps {
  readonly repository: Repository;
  readonly runner: CommandRunner;
}

/** For each check, in order, the things that it needs and that are missing. */
export async function missingNeeds(
  deps: NeedsDeps,
  files: TreeFiles,
  checks: readonly CheckSpec[],
): Promise<readonly (readonly Missing[])[]> {
  const wanted = await Promise.all(checks.map((spec) => programsOf(files, spec)));
  const modules = checks.map(moduleOf);
  const [absent, unknown] = await Promise.all([
    absentPrograms(deps, [...new Set(wanted.flat())]),
    absentModules(deps, [...new Set(modules.filter((name) => name !== undefined))]),
  ]);
  return Promise.all(
    checks.map(async (spec, at) => {
      const [program] = spec.argv;
      if (absent.has(program)) return [{ what: `${program} is not installed`, remedy: remedyFor(program) }];
      const packages = await missingPackages(deps.repository.top, files, spec);
      if (packages) return [packages];
      const found = await Promise.all(
        (wanted[at] ?? []).map(async (name) =>
          absent.has(name) && !(await isPackaged(deps.repository.top, spec.cwd, name)) ? [name] : [],
        ),
      );
      const names = [...found.flat(), ...(unknown.has(modules[at] ?? "") ? [modules[at] ?? ""] : [])];
      return names.map((name) => ({ what: `${name} is not installed`, remedy: remedyFor(name, spec) }));
    }),
  );
}

/** One look for all names, on the search path and in the sandbox that checks run in. */
async function absentPrograms(deps: NeedsDeps, names: readonly string[]): Promise<ReadonlySet<string>> {
  const script = 'for name; do command -v "$name" >/dev/null 2>&1 || printf "%s\\n" "$name"; done';
  return names.length === 0 ? new Set() : linesOf(deps, ["sh", "-c", script, "sh", ...names]);
}

const pythonLook =
  "import importlib.util, sys\nfor name in sys.argv[1:]:\n    if importlib.util.find_spec(name) is None: print(name)";

async function absentModules(deps: NeedsDeps, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const own = join(deps.repository.top, ".venv", "bin", "python3");
  const python = (await exists(own)) ? own : "python3";
  return linesOf(deps, [python, "-c", pythonLook, ...names]);
}

async function linesOf(
  { repository, runner }: NeedsDeps,
  argv: readonly [string, ...string[]],
): Promise<ReadonlySet<string>> {
  const { stdout } = await runner.run({
    argv,
    cwd: repository.top,
    writable: [],
    network: false,
    inherit: true,
    timeoutMs: 20_000,
    maxOutputBytes: 100_000,
  });
  return new Set(Buffer.from(stdout).toString("utf8").split("\n").filter(Boolean));
}

const exists = (path: string): Promise<boolean> =>
  promises.access(path).then(
    () => true,
    () => false,
  );

/** The folders from the check's own up to the top. */
const upwards = (top: string, cwd: string): string[] => {
  const parts = cwd === "" ? [] : cwd.split("/");
  return [...parts.map((_, at) => join(top, ...parts.slice(0, parts.length - at))), top];
};

async function isPackaged(top: string, cwd: string, name: string): Promise<boolean> {
  for (const folder of upwards(top, cwd))
    for (const bin of ["node_modules/.bin", ".venv/bin", "venv/bin"])
      if (await exists(join(folder, bin, name))) return true;
  return false;
}

/** A manifest that names packages, and no folder with any. */
async function missingPackages(
  top: string,
  files: TreeFiles,
  { argv: [manager, verb], cwd }: CheckSpec,
): Promise<Missing | undefined> {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager) || verb !== "run") return undefined;
  const path = cwd === "" ? "package.json" : `${cwd}/package.json`;
  const manifest = parseJsonFile((await files.read(path)) ?? "");
  const named = ["dependencies", "devDependencies"].some(
    (key) => isRecord(manifest) && isRecord(manifest[key]) && Object.keys(manifest[key]).length > 0,
  );
  if (!named || (await files.read(cwd === "" ? ".pnp.cjs" : `${cwd}/.pnp.cjs`)) !== undefined) return undefined;
  for (const folder of upwards(top, cwd)) if (await exists(join(folder, "node_modules"))) return undefined;
  const where = cwd === "" ? "" : `cd ${cwd} && `;
  return { what: `the packages of ${path} are not installed`, remedy: `${where}${manager} install` };
}

const known: Readonly<Record<string, string>> = {
  pnpm: "npm install -g pnpm (or corepack enable pnpm)",
  yarn: "npm install -g yarn (or corepack enable yarn)",
  bun: "npm install -g bun",
  npm: "Install Node.js: https://nodejs.org",
  node: "Install Node.js: https://nodejs.org",
  deno: "Install Deno: https://deno.com",
  cargo: "Install Rust: https://rustup.rs",
  go: "Install Go: https://go.dev/dl",
  dotnet: "Install .NET: https://dot.net",
  mix: "Install Elixir: https://elixir-lang.org/install.html",
  bundle: "gem install bundler",
  composer: "Install Composer: https://getcomposer.org",
};
const ofPython = new Set(["pytest", "mypy", "flake8", "ruff", "tox", "nox", "black", "pyright"]);

export function remedyFor(name: string, spec?: CheckSpec): string {
  const remedy = known[name];
  if (remedy !== undefined) return remedy;
  if (ofPython.has(name)) return `python3 -m pip install ${name}`;
  const manager = spec?.argv[0];
  return manager !== undefined && /^(?:npm|pnpm|yarn|bun)$/.test(manager)
    ? `${manager} install`
    : `Install ${name} with the package manager of your system`;
}

const plainName = /^[A-Za-z0-9][\w@.+-]*$/;
const ofTheShell = new Set(
  "cd echo exit export set test true false if for while do then else fi done case eval exec source time".split(" "),
);

/** The first word of each command of a shell line, without variables in front. */
function firstWords(line: string): string[] {
  return line.split(/&&|\|\||[;|\n]/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const first = words.find((word) => !/^[A-Za-z_]\w*=/.test(word) && word !== "cross-env");
    return first !== undefined && plainName.test(first) && !ofTheShell.has(first) ? [first] : [];
  });
}

async function programsOf(files: TreeFiles, spec: CheckSpec): Promise<readonly string[]> {
  const [program, flag, line] = spec.argv;
  if (/^(?:bash|sh)$/.test(program) && flag === "-c") return firstWords(line ?? "");
  const own = plainName.test(program) ? [program] : [];
  const whole = await scriptOf(files, spec);
  const script = whole.slice(spec.argv.join(" ").length).trim();
  return [...own, ...firstWords(script)];
}

/** `python3 -m NAME`. */
const moduleOf = ({ argv: [program, flag, name] }: CheckSpec): string | undefined =>
  program === "python3" && flag === "-m" && name !== "unittest" ? name : undefined;
